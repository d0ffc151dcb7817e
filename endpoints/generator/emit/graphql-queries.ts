import type { ColumnType } from '../../../contracts/perspective.js';
import { readNamesOf, upper } from '../../read-names.js';
import { visibleProcesses } from '../model/reachable-types.js';
import type { ColumnModel, QueryModel, ServiceModel, VisibleModel } from '../model/service-model.js';
import { block, describe } from './graphql-text.js';
import type { GraphQLTypes } from './graphql-types.js';

/** Of every perspective with a route, a field for its list and a field for one row; of a process, one for an instance. */
export function queryFields(model: ServiceModel, types: GraphQLTypes): readonly string[] {
  const { perspectives } = model;
  const queries = perspectives.flatMap(({ query }) => (query === null ? [] : [query]));
  // Rows come first: the types of the service keep their names.
  const rows = queries.map((query) => ({ query, row: types.nullable(query.row, 'output') }));
  return [
    ...rows.flatMap(({ query, row }) => fieldsOf(query, row, types)),
    ...visibleProcesses(model).flatMap((visible) => instanceField(visible, types)),
  ];
}

function instanceField(
  { route, instance, description }: VisibleModel,
  types: GraphQLTypes,
): readonly string[] {
  const names = readNamesOf(route);
  if (names === undefined) return [];
  const type = types.nullable({ kind: 'ref', name: instance }, 'output');
  const text = description ?? 'An instance of a process; null when there is none that you may see.';
  return [`${describe(text, '  ')}  ${names.one}(key: ID!): ${type}`];
}

function fieldsOf(query: QueryModel, row: string, types: GraphQLTypes): readonly string[] {
  const names = readNamesOf(query.route);
  if (names === undefined) return [];
  const { columns, description } = query;
  const name = upper(names.list);
  const parameters = [...selection(name, columns, types), ...page].map((line) => `    ${line}`);
  const connection = connectionOf(name, row, types);
  return [
    `${describe(description, '  ')}  ${names.list}(\n${parameters.join('\n')}\n  ): ${connection}!`,
    `  """A row of ${names.list}; null when there is none that you may see."""\n  ${names.one}(id: ID!): ${row}`,
  ];
}

const page = [
  '"""How many rows, at most 100."""',
  'first: Int = 10',
  '"""The cursor of the row to continue after, with the same filter and sort."""',
  'after: String',
];

function selection(name: string, columns: readonly ColumnModel[], types: GraphQLTypes): readonly string[] {
  if (columns.length === 0) return [];
  const sort = types.define(`${name}Sort`, (own) => {
    const values = columns.flatMap((column) => [`  ${column.name}_asc`, `  ${column.name}_desc`]);
    return `enum ${own} {\n${values.join('\n')}\n}`;
  });
  return [
    '"""Rows must match all of it."""',
    `filter: ${filterOf(name, columns, types)}`,
    '"""Rows without a value come last; rows with equal values follow by their id."""',
    `sort: [${sort}!]`,
  ];
}

export const filterOf = (name: string, columns: readonly ColumnModel[], types: GraphQLTypes): string =>
  types.define(`${name}Filter`, (own) =>
    block('input', own, ...columns.map((column) => `${column.name}: ${comparisons(column.type, types)}`)),
  );

const columnKinds = {
  text: 'text',
  uuid: 'uuid',
  integer: 'int',
  bigint: 'long',
  numeric: 'decimal',
  boolean: 'boolean',
  timestamptz: 'timestamp',
} as const satisfies Readonly<Record<ColumnType, Parameters<GraphQLTypes['scalar']>[0]>>;

/** The input for a column of this type; columns of one type share it. */
function comparisons(type: ColumnType, types: GraphQLTypes): string {
  const scalar = types.scalar(columnKinds[type]);
  const ranges = ['gte', 'gt', 'lte', 'lt'].map((operator) => `  ${operator}: ${scalar}`);
  const part = ['  """A part of the text, in any case."""', `  contains: ${scalar}`];
  return types.define(`${scalar}Filter`, (name) =>
    [
      `"""A row without a value matches none of it."""\ninput ${name} {\n  eq: ${scalar}`,
      '  """Any of these values, at most 100."""',
      `  in: [${scalar}!]`,
      ...(type === 'boolean' ? [] : ranges),
      ...(type === 'text' ? part : []),
      '}',
    ].join('\n'),
  );
}

function connectionOf(name: string, row: string, types: GraphQLTypes): string {
  const pageInfo = types.define('PageInfo', (own) =>
    block('type', own, 'hasNextPage: Boolean!', '"""The cursor of the last row."""', 'endCursor: String'),
  );
  const kind = types.define('TotalCountKind', (own) => block('enum', own, 'exact', 'estimated'));
  const long = types.scalar('long');
  const edge = types.define(`${name}Edge`, (own) => block('type', own, 'cursor: String!', `node: ${row}`));
  return types.define(`${name}Connection`, (own) =>
    block(
      'type',
      own,
      `edges: [${edge}!]!`,
      `pageInfo: ${pageInfo}!`,
      '"""How many rows match; exact up to 1,000, then estimated."""',
      `totalCount: ${long}!`,
      `totalCountIs: ${kind}!`,
    ),
  );
}
