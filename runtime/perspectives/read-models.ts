import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { sqlStateOf } from '../database/sql-error.js';
import { emptiedInPlace, tableServedInstead } from './served-table.js';
import type { PerspectiveTable, TableColumn } from './perspective-table.js';

/** Any of several values matches. */
export type RowFilter = readonly [column: TableColumn, values: readonly string[]];

/** Selects and orders rows of a perspective. */
export interface RowsQuery {
  /** Rows of other tenants are never returned; without a tenant only rows without one are. */
  readonly tenant: string | undefined;
  readonly filters: Iterable<RowFilter>;
  readonly sort: readonly { readonly column: TableColumn; readonly descending: boolean }[];
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface RowsPage {
  /** A JSON array of models. */
  readonly models: string;
  readonly total: number;
  readonly state?: ModelState;
}

/** A warning for readers: the model is being refilled in place, or that failed and rows are missing. */
type ModelState = 'rebuilding' | 'incomplete';

export interface RowResult {
  readonly model?: string;
  readonly state?: ModelState;
  /** It stopped at an event that could not be folded: the row is as it was before, or does not exist yet. */
  readonly isParked: boolean;
}

/** Reads the models of perspectives as JSON text: what is only passed on is not parsed. */
export interface ReadModels {
  page(table: PerspectiveTable, asked: RowsQuery): Promise<RowsPage>;
  one(
    table: PerspectiveTable,
    id: string,
    tenant: string | undefined,
    filters?: Iterable<RowFilter>,
  ): Promise<RowResult>;
}

export function readModels(database: Database): ReadModels {
  const served = new ServedTables(database);
  return {
    page: (table, asked) => served.read(table, (source) => pageOf(database, source, asked)),
    one: (table, id, tenant, filters = []) =>
      served.read(table, (source) => rowOf(database, source, id, { tenant, filters })),
  };
}

/** The source to read from, and the table it stands for. */
interface Source {
  readonly from: string;
  readonly table: string;
}

const stateOf = (state: string | null | undefined): { readonly state?: ModelState } =>
  state === 'rebuilding' || state === 'incomplete' ? { state } : {};

const stateIn = "CASE WHEN r.ended_at IS NULL THEN 'rebuilding' ELSE 'incomplete' END";

async function rowOf(
  database: Database,
  { from, table }: Source,
  id: string,
  { tenant, filters }: Pick<RowsQuery, 'tenant' | 'filters'>,
): Promise<RowResult> {
  const values: unknown[] = [tenant ?? null, id, table];
  const text = `SELECT (SELECT model FROM ${from} WHERE ${conditionsOf(filters, values)} AND id = $2),
    ${emptiedInPlace(stateIn, '$3')}, ${parkedFor}`;
  const [row] = await database.rows({ text, values, tenant });
  const [model, state, parkedBy = null] = row ?? [];
  const isFound = typeof model === 'string';
  // Who may not see a row does not learn that its key exists: without the row, a filter cannot be checked.
  const isFiltered = values.length > 3;
  const isParked = isFound ? parkedBy !== null : parkedBy === 'own' && !isFiltered;
  return { ...(isFound ? { model } : {}), ...stateOf(state), isParked };
}

/** Whose event parked the key, if it is parked. */
const parkedFor = `(SELECT CASE WHEN $1::text IS NOT DISTINCT FROM
      (SELECT e.tenant_id FROM svc_event_stream e WHERE e.global_position = k.global_position) THEN 'own' ELSE 'other' END
    FROM svc_parked k WHERE k.perspective = $3 AND k.key = $2)`;

async function pageOf(
  database: Database,
  { from: source, table }: Source,
  asked: RowsQuery,
): Promise<RowsPage> {
  const values: unknown[] = [asked.tenant ?? null, asked.limit, asked.offset, table];
  const where = conditionsOf(asked.filters, values);
  const text = `SELECT (SELECT count(*) FROM ${source} WHERE ${where}), (
      SELECT coalesce(json_agg(p.model), '[]') FROM (
        SELECT model FROM ${source} WHERE ${where} ORDER BY ${orderOf(asked)} LIMIT $2 OFFSET $3) p),
      ${emptiedInPlace(stateIn, '$4')}`;
  const [row] = await database.rows({ text, values, tenant: asked.tenant });
  return { total: Number(row?.[0]), models: row?.[1] ?? '[]', ...stateOf(row?.[2]) };
}

/** The first value is the tenant; those of the filters are added. */
const conditionsOf = (filters: Iterable<RowFilter>, values: unknown[]): string =>
  [
    'tenant IS NOT DISTINCT FROM $1::text',
    ...Array.from(filters, ([{ column, type }, list]) => {
      values.push(list);
      return `"${column}" = ANY($${values.length}::${type}[])`;
    }),
  ].join(' AND ');

const missingTable = '42P01';
const missingColumn = '42703';
const typeMismatch = '42883';

/** Until a new version has been replayed in the background, its own table is incomplete: readers use the table of the view. */
class ServedTables {
  readonly #complete = new Set<string>();

  constructor(private readonly database: Database) {}

  async read<T>(perspective: PerspectiveTable, body: (source: Source) => Promise<T>): Promise<T> {
    const { table, view, name } = perspective;
    if (!this.#complete.has(table)) {
      const instead = await tableServedInstead(this.database, perspective);
      if (instead !== undefined)
        return body({ from: view, table: instead }).catch((error: unknown) =>
          Promise.reject(notReplayedYet(name, error)),
        );
      this.#complete.add(table);
    }
    return body({ from: table, table }).catch((error: unknown) => Promise.reject(tableMissing(name, error)));
  }
}

const tableMissing = (name: string, error: unknown): unknown =>
  sqlStateOf(error) === missingTable
    ? new Problem('store-unavailable', {
        detail: `The table of ${name} does not exist; a rebuild creates it again.`,
        cause: error,
      })
    : error;

const notReplayedYet = (name: string, error: unknown): unknown =>
  [missingColumn, typeMismatch].includes(sqlStateOf(error) ?? '')
    ? new Problem('store-unavailable', {
        detail: `${name} has not been replayed yet; its new columns can be filtered and sorted by when that is done.`,
        cause: error,
      })
    : error;

/** Always a total order, so that pages do not overlap. */
const orderOf = ({ sort, newestFirst }: RowsQuery): string =>
  [
    ...sort.map(({ column, descending }) => `"${column.column}" ${descending ? 'DESC' : 'ASC'} NULLS LAST`),
    ...(newestFirst ? ['position DESC'] : []),
    'id',
  ].join(', ');
