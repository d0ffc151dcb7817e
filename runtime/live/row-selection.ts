import type { Database } from '../database/database.js';
import type { RowFilter } from '../perspectives/reads/read-models.js';
import { conditionOf, type RowCondition } from '../perspectives/reads/row-segments.js';
import type { TableColumn } from '../perspectives/tables/perspective-table.js';
import type { LiveRow } from './live-row.js';

/** Which rows a watcher sees. */
export interface RowSelection {
  /** Rows of other tenants are never seen; without a tenant only rows without one are. */
  readonly tenant: string | undefined;
  readonly filters: readonly RowFilter[];
  /** The same for selections that select the same rows. */
  readonly key: string;
}

export const rowSelection = (tenant: string | undefined, filters: readonly RowFilter[]): RowSelection => ({
  tenant,
  filters,
  key: JSON.stringify([
    tenant ?? null,
    filters.map(({ column, operator, values }) => [column.column, operator, values]),
  ]),
});

/** Whether rows can be selected without asking PostgreSQL how it compares values. */
export const isPlain = ({ filters }: RowSelection): boolean => filters.every(isPlainFilter);

/** The selected ones among some rows. */
export async function selectedRows(
  database: Pick<Database, 'rows'>,
  selections: readonly RowSelection[],
  rows: readonly LiveRow[],
): Promise<ReadonlyMap<string, ReadonlySet<LiveRow>>> {
  const selected = new Map<string, ReadonlySet<LiveRow>>();
  for (const selection of selections) {
    if (selected.has(selection.key)) continue;
    const candidates = rows.filter((row) => isCandidate(selection, row));
    const left = selection.filters.filter((filter) => !isPlainFilter(filter));
    selected.set(
      selection.key,
      new Set(
        left.length === 0 || candidates.length === 0
          ? candidates
          : await comparedByPostgres(database, left, candidates),
      ),
    );
  }
  return selected;
}

const isPlainFilter = ({ column: { type }, operator }: RowFilter): boolean =>
  (type === 'text' || type === 'uuid') && (operator === 'eq' || operator === 'in');

const isCandidate = ({ tenant, filters }: RowSelection, row: LiveRow): boolean =>
  row.tenant === (tenant ?? null) &&
  filters.every((filter) => !isPlainFilter(filter) || matches(filter, row));

function matches({ column, values }: RowFilter, row: LiveRow): boolean {
  const value = row.column(column);
  if (value === null) return false;
  const text = String(value);
  return column.type === 'uuid'
    ? values.some((wanted) => wanted.toLowerCase() === text.toLowerCase())
    : values.includes(text);
}

/** Numbers, times and the order of texts are compared as the table compares them. */
async function comparedByPostgres(
  database: Pick<Database, 'rows'>,
  filters: readonly RowFilter[],
  rows: readonly LiveRow[],
): Promise<readonly LiveRow[]> {
  const columns = [...new Map(filters.map(({ column }) => [column.column, column])).values()];
  const values: unknown[] = [JSON.stringify(rows.map((row, n) => ({ ...valuesOf(row, columns), '?': n })))];
  const typed = columns.map(({ column, type }) => `, "${column}" ${type}`).join('');
  const conditions = filters.map((filter) => comparisonOf(conditionOf(filter), values));
  const found = await database.rows({
    text: `SELECT "?" FROM json_to_recordset($1::json) r("?" int${typed}) WHERE ${conditions.join(' AND ')}`,
    values,
  });
  return found.flatMap(([n]) => rows[Number(n)] ?? []);
}

const comparisons = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

function comparisonOf({ column, type, is, values: wanted }: RowCondition, values: unknown[]): string {
  if (is === 'null' || is === 'present') return `"${column}" IS ${is === 'null' ? '' : 'NOT '}NULL`;
  const isList = is === 'in' || is === 'contains';
  const place = `$${values.push(isList ? wanted : wanted[0])}::${type}`;
  if (is === 'contains') return `"${column}" ILIKE ANY(${place}[])`;
  return is === 'in' ? `"${column}" = ANY(${place}[])` : `"${column}" ${comparisons[is]} ${place}`;
}

const valuesOf = (row: LiveRow, columns: readonly TableColumn[]): Record<string, unknown> =>
  Object.fromEntries(columns.map((column) => [column.column, row.column(column)]));
