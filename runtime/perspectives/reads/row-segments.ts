import type { ColumnType } from '../../../contracts/perspective.js';
import type { RowFilter, RowsQuery } from './rows-query.js';

/** A column of the total order of a query; nulls come last in both directions. */
export interface SortKey {
  readonly column: string;
  readonly type: ColumnType;
  readonly descending: boolean;
  readonly isNullable: boolean;
}

/** A condition on a column, as `svc_read_rows` takes it. */
export interface RowCondition {
  readonly column: string;
  readonly type: ColumnType;
  readonly is: 'in' | 'gte' | 'gt' | 'lte' | 'lt' | 'contains' | 'null' | 'present';
  readonly values: readonly string[];
}

/** Rows that are adjacent in the order of a query, and that one index holds in this order. */
export interface RowSegment {
  readonly where: readonly RowCondition[];
  readonly order: readonly SortKey[];
}

/** The value of each key; all but the last may be null. */
export type KeyValues = readonly (string | null)[];

/** Always a total order, so that pages do not overlap. Ties follow the direction of the sort, as its index does. */
export function sortKeysOf({ sort, newestFirst }: Pick<RowsQuery, 'sort' | 'newestFirst'>): SortKey[] {
  const keys: SortKey[] = [];
  for (const {
    column: { column, type },
    descending,
  } of sort)
    // A column that is named again changes nothing.
    if (keys.every((key) => key.column !== column)) keys.push({ column, type, descending, isNullable: true });
  if (keys.length === 0 && newestFirst)
    keys.push({ column: 'position', type: 'bigint', descending: true, isNullable: false });
  const descending = keys.at(-1)?.descending ?? false;
  return [...keys, { column: 'id', type: 'text', descending, isNullable: false }];
}

/** The rows after a cursor, or all of them, in parts: no index has the whole order, with nulls last and from the middle. */
export function segmentsOf(keys: readonly SortKey[], after?: KeyValues): RowSegment[] {
  if (after === undefined) return wholeOrder(keys);
  const nearestFirst = Array.from(keys.entries()).toReversed();
  return nearestFirst.flatMap(([index, key]) => {
    const value = after[index] ?? null;
    if (value === null) return [];
    const same = keys.slice(0, index).map((earlier, at) => equal(earlier, after[at] ?? null));
    const rest = keys.slice(index + 1);
    const beyond = condition(key, key.descending ? 'lt' : 'gt', [value]);
    const nulls = { where: [...same, condition(key, 'null')], order: rest };
    return [{ where: [...same, beyond], order: [present(key), ...rest] }, ...(key.isNullable ? [nulls] : [])];
  });
}

function wholeOrder(keys: readonly SortKey[]): RowSegment[] {
  const [first, ...rest] = keys;
  if (first === undefined || !first.descending || !first.isNullable) return [{ where: [], order: keys }];
  return [
    { where: [condition(first, 'present')], order: [present(first), ...rest] },
    { where: [condition(first, 'null')], order: rest },
  ];
}

const condition = (
  { column, type }: SortKey,
  is: RowCondition['is'],
  values: readonly string[] = [],
): RowCondition => ({ column, type, is, values });

const equal = (key: SortKey, value: string | null): RowCondition =>
  value === null ? condition(key, 'null') : condition(key, 'in', [value]);

const present = (key: SortKey): SortKey => ({ ...key, isNullable: false });

export const conditionOf = ({ column: { column, type }, operator, values }: RowFilter): RowCondition => ({
  column,
  type,
  is: operator === 'eq' ? 'in' : operator,
  values: operator === 'contains' ? values.map(likePattern) : values,
});

const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
