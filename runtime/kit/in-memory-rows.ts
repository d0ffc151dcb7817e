import type { ColumnType } from '../../contracts/perspective.js';
import type { Long } from '../../contracts/scalars.js';
import { columnValue } from '../perspectives/tables/column-value.js';
import type { TableColumn } from '../perspectives/tables/perspective-table.js';
import type { FilterOperator, RowFilter, RowsQuery } from '../perspectives/reads/read-models.js';

/** A row of a perspective. */
export interface InMemoryRow {
  readonly id: string;
  readonly tenant: string | null;
  readonly position: Long;
  readonly model: unknown;
}

type Selection = Pick<RowsQuery, 'tenant' | 'filters' | 'sort' | 'newestFirst'>;

/** The rows that a query selects, in its order. Texts are compared by code unit, where PostgreSQL has its collation. */
export function rowsInMemory(
  rows: readonly InMemoryRow[],
  { tenant, filters, sort, newestFirst }: Selection,
): InMemoryRow[] {
  const isDescending = sort.at(-1)?.descending ?? newestFirst;
  return rows
    .filter((row) => row.tenant === (tenant ?? null) && filters.every((filter) => matches(filter, row)))
    .sort((a, b) => {
      for (const { column, descending } of sort) {
        const order = compareNulls(column.type, textOf(column, a), textOf(column, b), descending);
        if (order !== 0) return order;
      }
      const byPosition = sort.length === 0 && newestFirst ? b.position - a.position : 0;
      return byPosition || (isDescending ? compareTexts(b.id, a.id) : compareTexts(a.id, b.id));
    });
}

function textOf(column: TableColumn, { model }: InMemoryRow): string | null {
  const value = columnValue(column, model);
  return value === null ? null : String(value);
}

function matches({ column, operator, values }: RowFilter, row: InMemoryRow): boolean {
  const held = textOf(column, row);
  return held !== null && values.some((value) => comparisons[operator](column.type, held, value));
}

type Comparison = (type: ColumnType, held: string, value: string) => boolean;

const comparisons: Readonly<Record<FilterOperator, Comparison>> = {
  eq: (type, held, value) => compare(type, held, value) === 0,
  in: (type, held, value) => compare(type, held, value) === 0,
  gte: (type, held, value) => compare(type, held, value) >= 0,
  gt: (type, held, value) => compare(type, held, value) > 0,
  lte: (type, held, value) => compare(type, held, value) <= 0,
  lt: (type, held, value) => compare(type, held, value) < 0,
  contains: (_, held, value) => held.toLowerCase().includes(value.toLowerCase()),
};

/** Nulls come last in both directions. */
function compareNulls(type: ColumnType, a: string | null, b: string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return descending ? compare(type, b, a) : compare(type, a, b);
}

function compare(type: ColumnType, a: string, b: string): number {
  if (type === 'integer' || type === 'bigint' || type === 'numeric') return compareDecimals(a, b);
  if (type === 'timestamptz') return Date.parse(a) - Date.parse(b);
  return type === 'uuid' ? compareTexts(a.toLowerCase(), b.toLowerCase()) : compareTexts(a, b);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function compareDecimals(a: string, b: string): number {
  const places = Math.max(placesOf(a), placesOf(b));
  const difference = scaled(a, places) - scaled(b, places);
  return difference < 0n ? -1 : Number(difference > 0n);
}

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0;

const scaled = (text: string, places: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
};
