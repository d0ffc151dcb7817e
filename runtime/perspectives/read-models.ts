import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sql-error.js';
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

export function readModels(database: Database): ReadModels {
  const shown = new ShownTables(database);
  return {
    page: (table, asked) => shown.read(table, (source) => pageOf(database, source, asked)),
    one: (table, id, tenant) =>
      shown.read(table, async (source) => {
        const text = `SELECT model FROM ${source} WHERE id = $1 AND tenant IS NOT DISTINCT FROM $2::text`;
        const [row] = await database.rows({ text, values: [id, tenant ?? null] });
        return row?.[0] ?? undefined;
      }),
  };
}

async function pageOf(database: Database, source: string, asked: RowsAsked): Promise<RowsFound> {
  const values: unknown[] = [asked.tenant ?? null, asked.limit, asked.offset];
  const where = [
    'tenant IS NOT DISTINCT FROM $1::text',
    ...Array.from(asked.filters, ([{ column, type }, list]) => {
      values.push(list);
      return `"${column}" = ANY($${values.length}::${type}[])`;
    }),
  ].join(' AND ');
  const text = `SELECT (SELECT count(*) FROM ${source} WHERE ${where}), (
      SELECT coalesce(json_agg(p.model), '[]') FROM (
        SELECT model FROM ${source} WHERE ${where} ORDER BY ${orderOf(asked)} LIMIT $2 OFFSET $3) p)`;
  const [row] = await database.rows({ text, values });
  return { total: Number(row?.[0]), models: row?.[1] ?? '[]' };
}

const missingTable = '42P01';
const missingColumn = '42703';
const otherType = '42883';

/** Until a new version is replayed in the background, at this start or a later one, its own table is half built: readers see what the view shows. */
class ShownTables {
  readonly #whole = new Set<string>();

  constructor(private readonly database: Database) {}

  async read<T>(
    { table, view, hash, name }: PerspectiveTable,
    body: (source: string) => Promise<T>,
  ): Promise<T> {
    if (!this.#whole.has(table)) {
      const text = `SELECT 1 FROM svc_schema_migrations
        WHERE (hash = $1 AND status = $2) OR (state ->> 'failedHash' = $1 AND status = $3)`;
      const values = [hash, MigrationStatus.MigratingInBackground, MigrationStatus.Failed];
      const unfinished = await this.database.rows({ text, values });
      if (unfinished.length > 0)
        return body(view).catch((error: unknown) => Promise.reject(notYet(name, error)));
      this.#whole.add(table);
    }
    return body(table).catch((error: unknown) => Promise.reject(gone(name, error)));
  }
}

const gone = (name: string, error: unknown): unknown =>
  sqlStateOf(error) === missingTable
    ? new Problem('store-unavailable', {
        detail: `The table of ${name} is gone; a rebuild makes it again.`,
        cause: error,
      })
    : error;

const notYet = (name: string, error: unknown): unknown =>
  [missingColumn, otherType].includes(sqlStateOf(error) ?? '')
    ? new Problem('store-unavailable', {
        detail: `${name} is not replayed yet; what is new in it can be filtered and sorted by when that is done.`,
        cause: error,
      })
    : error;

/** Always down to one row, so that no page repeats another. */
const orderOf = ({ sort, newestFirst }: RowsAsked): string =>
  [
    ...sort.map(({ column, descending }) => `"${column.column}" ${descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...(newestFirst ? ['position DESC'] : []),
    'id',
  ].join(', ');
