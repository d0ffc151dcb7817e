import type { ColumnType } from '../../../contracts/perspective.js';
import { readNamesOf } from '../../read-names.js';
import type { QueryModel, ServiceModel } from '../model/service-model.js';
import { type TypeNames, typeText } from '../model/type-text.js';
import { clientRowsSupport } from './client-rows-support.js';
import { clientWatchSupport } from './client-watch-support.js';
import { docComment } from './source-text.js';

/** What a client with reads has beside its methods; each part is empty without a perspective that has a route. */
export interface ClientReads {
  readonly support: string;
  readonly members: string;
  readonly assignments: string;
}

export function clientReads({ perspectives, types }: ServiceModel, names: TypeNames): ClientReads {
  const reads = perspectives.flatMap(({ query }) => {
    const list = query === null ? undefined : readNamesOf(query.route)?.list;
    return query === null || list === undefined ? [] : [{ query, list }];
  });
  const members = reads.map(({ query, list }) => {
    const row = typeText(query.row, types, names);
    return `${docComment(query, '  ')}  readonly ${list}: Rows<${row}, ${filtersOf(query)}>;\n`;
  });
  const assignments = reads.map(
    ({ query, list }) => `    this.${list} = new Rows(this.#call, ${JSON.stringify(query.route)});\n`,
  );
  return {
    support: reads.length === 0 ? '' : clientRowsSupport + clientWatchSupport,
    members: members.join(''),
    assignments: assignments.join(''),
  };
}

const filters: Readonly<Record<ColumnType, string>> = {
  text: 'RowsTextFilter',
  uuid: 'RowsFilter<string>',
  integer: 'RowsFilter<number>',
  bigint: 'RowsFilter<number | string>',
  numeric: 'RowsFilter<number | string>',
  boolean: 'RowsFilter<boolean>',
  timestamptz: 'RowsFilter<string>',
};

const filtersOf = ({ columns }: QueryModel): string =>
  columns.length === 0
    ? 'Record<never, never>'
    : `{ ${columns.map(({ name, type }) => `readonly ${name}?: ${filters[type]}`).join('; ')} }`;
