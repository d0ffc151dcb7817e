import { Faults } from '../../contracts/faults.js';
import { Problem } from '../../contracts/problems.js';
import { textForms } from '../../runtime/perspectives/tables/column-text.js';
import type { TableColumn } from '../../runtime/perspectives/tables/perspective-table.js';
import type { RowFilter, RowsQuery } from '../../runtime/perspectives/reads/read-models.js';

/** The arguments of a connection, as GraphQL coerced them: names and operators are those of the schema. */
export interface ListArguments {
  readonly filter?: Comparisons | null;
  readonly sort?: readonly string[] | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

type Comparisons = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
type Columns = ReadonlyMap<string, TableColumn>;
type ListQuery = Pick<RowsQuery, 'filters' | 'sort' | 'limit' | 'offset' | 'after'>;

const defaultFirst = 10;
// The limits of REST.
const maxFirst = 100;
const maxSorts = 10;
const maxValues = 100;

/** Reports every fault at once. */
export function listQueryOf(args: ListArguments, columns: Columns): ListQuery {
  const faults = new Faults();
  const limit = args.first ?? defaultFirst;
  if (limit < 1 || limit > maxFirst)
    faults.push({ path: '/first', message: `must be a whole number from 1 to ${maxFirst}` });
  const sort = sortOf(args.sort ?? [], columns, faults);
  const filters = filtersOf(args.filter ?? {}, columns, faults);
  const after = args.after ?? undefined;
  if (faults.found === 0)
    return { filters, sort, limit, offset: 0, ...(after === undefined ? {} : { after }) };
  const described = Array.from(faults)
    .slice(0, maxDescribed)
    .map(({ path, message }) => `${path.slice(1).replaceAll('/', '.')} ${message}`);
  const others = faults.found - described.length;
  const detail = `${described.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`;
  throw new Problem('invalid-query', { detail, ...faults.listed });
}

const maxDescribed = 5;

/** Of `total_desc`. */
function sortOf(given: readonly string[], columns: Columns, faults: Faults): RowsQuery['sort'] {
  if (given.length > maxSorts) faults.push({ path: '/sort', message: `takes at most ${maxSorts} columns` });
  return given.flatMap((text) => {
    const [name = '', order] = text.split('_');
    const column = columns.get(name);
    return column === undefined ? [] : [{ column, descending: order === 'desc' }];
  });
}

function filtersOf(filter: Comparisons, columns: Columns, faults: Faults): readonly RowFilter[] {
  return Object.entries(filter).flatMap(([name, comparisons]) => {
    const column = columns.get(name);
    const path = `/filter/${name}`;
    // Without a condition the answer would have every row, which is not what null asks for.
    if (comparisons === null) faults.push({ path, message: leaveOut });
    if (column === undefined || comparisons === null) return [];
    return Object.entries(comparisons).map(([operator, value]): RowFilter => {
      const values = valuesOf(value, column, `${path}/${operator}`, faults);
      return { column, operator: operator as RowFilter['operator'], values };
    });
  });
}

const leaveOut = 'must not be null; leave it out';

function valuesOf(value: unknown, { type }: TableColumn, path: string, faults: Faults): readonly string[] {
  const values = (Array.isArray(value) ? value : [value]).map(String);
  const form = textForms[type];
  if (value === null) faults.push({ path, message: leaveOut });
  else if (values.length > maxValues) faults.push({ path, message: `must have at most ${maxValues} values` });
  else if (!values.every((text) => form.fits(text)))
    faults.push({ path, message: `must be ${form.description}` });
  return values;
}
