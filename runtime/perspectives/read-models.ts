import type { Database } from '../database/database.js';
import type { PerspectiveTable, TableColumn } from './table.js';

/** Which rows of a perspective, in which order. */
export interface RowsAsked {
  /** Rows of another tenant are never seen; without a tenant only those that belong to none. */
  readonly tenant: string | undefined;
  /** By column; of several values any. */
  readonly filters: ReadonlyMap<TableColumn, readonly string[]>;
  readonly sort: readonly { readonly column: TableColumn; readonly descending: boolean }[];
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface RowsFound {
  /** A JSON array of models. */
  readonly models: string;
  readonly total: number;
}

/** Reads the models of perspectives as JSON text: what is only passed on is not parsed. */
export interface ReadModels {
  page(table: PerspectiveTable, asked: RowsAsked): Promise<RowsFound>;
  one(table: PerspectiveTable, id: string, tenant: string | undefined): Promise<string | undefined>;
}

export const readModels = (database: Database): ReadModels => ({
  page: async ({ table }, asked) => {
    const values: unknown[] = [asked.tenant ?? null, asked.limit, asked.offset];
    const where = [
      'tenant IS NOT DISTINCT FROM $1::text',
      ...Array.from(asked.filters, ([{ column, type }, list]) => {
        values.push(list);
        return `"${column}" = ANY($${values.length}::${type}[])`;
      }),
    ].join(' AND ');
    const text = `SELECT (SELECT count(*) FROM ${table} WHERE ${where}), (
      SELECT coalesce(json_agg(p.model), '[]') FROM (
        SELECT model FROM ${table} WHERE ${where} ORDER BY ${orderOf(asked)} LIMIT $2 OFFSET $3) p)`;
    const [row] = await database.rows({ text, values });
    return { total: Number(row?.[0]), models: row?.[1] ?? '[]' };
  },
  one: async ({ table }, id, tenant) => {
    const text = `SELECT model FROM ${table} WHERE id = $1 AND tenant IS NOT DISTINCT FROM $2::text`;
    const [row] = await database.rows({ text, values: [id, tenant ?? null] });
    return row?.[0] ?? undefined;
  },
});

/** Always down to one row, so that no page repeats another. */
const orderOf = ({ sort, newestFirst }: RowsAsked): string =>
  [
    ...sort.map(({ column, descending }) => `"${column.column}" ${descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...(newestFirst ? ['position DESC'] : []),
    'id',
  ].join(', ');
