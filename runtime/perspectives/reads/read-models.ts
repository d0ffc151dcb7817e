import { Problem } from '../../../contracts/problems.js';
import type { Database } from '../../database/database.js';
import { sqlStateOf } from '../../database/sql-error.js';
import { emptiedInPlace, tableServedInstead } from '../rebuild/served-table.js';
import type { PerspectiveTable } from '../tables/perspective-table.js';
import { RowCursors } from './row-cursor.js';
import { conditionOf, type KeyValues, segmentsOf, sortKeysOf } from './row-segments.js';
import type { ModelState, RowFilter, RowsPage, RowsQuery } from './rows-query.js';

export type { FilterOperator, RowFilter, RowsPage, RowsQuery } from './rows-query.js';

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
    filters?: readonly RowFilter[],
  ): Promise<RowResult>;
}

export function readModels(database: Database): ReadModels {
  const served = new ServedTables(database);
  return {
    page: (table, asked) => served.read(table, (source) => pageOf(database, source, table.name, asked)),
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
  const text = `SELECT (SELECT model FROM ${from} WHERE ${isSet} AND ${conditionsOf(filters, values)} AND id = $2),
    ${emptiedInPlace(stateIn, '$3')}, ${parkedFor} FROM ${tenantSet('$1')}`;
  const isFiltered = values.length > 3;
  // Planning it takes longer than running it, so the usual one is planned once, under the name of what it reads.
  const [row] = await database.rows({ text, values, ...(isFiltered ? {} : { name: from }) });
  const [model, state, parkedBy = null] = row ?? [];
  const isFound = typeof model === 'string';
  // Who may not see a row does not learn that its key exists: without the row, a filter cannot be checked.
  const isParked = isFound ? parkedBy !== null : parkedBy === 'own' && !isFiltered;
  return { ...(isFound ? { model } : {}), ...stateOf(state), isParked };
}

/**
 * Row-level security shows the rows of the tenant that is set, until the end of the statement. What reads them names the
 * setting, so that it is made before.
 */
export const tenantSet = (tenant: string): string =>
  `(SELECT set_config('svc.tenant', coalesce(${tenant}::text, ''), true) AS tenant) own`;
export const isSet = 'own.tenant IS NOT NULL';

/** Whose event parked the key, if it is parked. */
const parkedFor = `(SELECT CASE WHEN $1::text IS NOT DISTINCT FROM
      (SELECT e.tenant_id FROM svc_event_stream e WHERE e.global_position = k.position) THEN 'own' ELSE 'other' END
    FROM svc_stuck_work k WHERE k.follower = $3 AND k.key = $2)`;

/** Up to so many rows, a bounded count is exact. */
const countedRows = 1_000;

async function pageOf(
  database: Database,
  { from, table }: Source,
  perspective: string,
  asked: RowsQuery,
): Promise<RowsPage> {
  const { tenant, filters, limit, offset, after, count } = asked;
  const keys = sortKeysOf(asked);
  const cursors = new RowCursors(perspective, keys, filters);
  const decoded = after === undefined ? undefined : cursors.decode(after);
  const query = {
    filters: filters.map(conditionOf),
    segments: segmentsOf(keys, decoded?.values),
    keys,
    limit,
    offset: decoded === undefined ? offset : 0,
    isWhole: decoded === undefined,
    count,
    counted: countedRows,
  };
  const given = [from, JSON.stringify(query), table, tenant ?? null];
  const [row] = await database.rows({ name: 'svc_read_rows', text: pageText, values: given });
  const [models, keyValues, hasMore, total, isExact, state] = row ?? [];
  const start = decoded?.rank ?? offset;
  const found = (JSON.parse(keyValues ?? '[]') as KeyValues[]).map((values, at) => ({
    rank: start + at + 1,
    values,
  }));
  const last = hasMore === 't' ? found.at(-1) : undefined;
  return {
    models: models ?? '[]',
    total: Number(total),
    isExact: isExact === 't',
    start,
    ...(last === undefined ? {} : { next: cursors.cursorAt(last) }),
    ...(asked.withCursors === true ? { cursors: found.map((one) => cursors.cursorAt(one)) } : {}),
    ...stateOf(state),
  };
}

const pageText = `SELECT p.models, p.keys, p.has_more, p.total, p.is_exact, ${emptiedInPlace(stateIn, '$3')}
  FROM svc_read_rows($1, $2, $4) p`;

/** The first value is the tenant; those of the filters are added. */
const conditionsOf = (filters: readonly RowFilter[], values: unknown[]): string =>
  ['tenant IS NOT DISTINCT FROM $1::text', ...filters.map((filter) => comparison(filter, values))].join(
    ' AND ',
  );

function comparison(filter: RowFilter, values: unknown[]): string {
  const { column, type, is, values: list } = conditionOf(filter);
  const operator = operators[is];
  values.push(operator === undefined ? list : list[0]);
  return operator === undefined
    ? `"${column}" ${is === 'contains' ? 'ILIKE' : '='} ANY($${values.length}::${type}[])`
    : `"${column}" ${operator} $${values.length}::${type}`;
}

const operators: Readonly<Record<string, string>> = { gte: '>=', gt: '>', lte: '<=', lt: '<' };

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
