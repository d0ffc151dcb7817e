import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';

export interface SystemStreamFilter {
  readonly correlation?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly type?: string | undefined;
  /** Matches parts of the values too, in any case. */
  readonly isPartial?: boolean;
}

/** A table of records and the name of its position column. */
export interface RecordTable {
  readonly table: string;
  readonly positionColumn: string;
  /** Only records with this value in that column. */
  readonly filters?: readonly (readonly [column: string, value: unknown])[];
}

export const ownSystemStream: RecordTable = { table: 'svc_system_events', positionColumn: 'stream_position' };

/** The number of records examined by one query. */
export const windowSize = 5000;

/** An API key that acts for no user is its own. */
export const userColumn = `coalesce(data ->> 'userId', metadata -> 'scope' ->> 'userId', metadata -> 'scope' ->> 'apiKey')`;
export const tenantColumn = `coalesce(data ->> 'tenantId', metadata -> 'scope' ->> 'tenantId')`;
export const correlationColumn = `coalesce(data ->> 'correlationId', metadata ->> 'correlationId')`;

/** The newest matching records of a range, oldest first; the position is the first column. */
export async function findRecords(
  database: Database,
  columns: string,
  { correlation, user, tenant, type, isPartial = false }: SystemStreamFilter,
  { from, to, newest = windowSize }: { readonly from: Long; readonly to: Long; readonly newest?: number },
  { table, positionColumn, filters = [] }: RecordTable = ownSystemStream,
): Promise<readonly Row[]> {
  const values: unknown[] = [from, to, newest];
  const where = [`${positionColumn} >= $1`, `${positionColumn} <= $2`];
  const whereEquals = (expression: string, value: unknown) => {
    if (value !== undefined) where.push(`${expression} = $${values.push(value)}`);
  };
  const whereContains = (expression: string, value: unknown) => {
    if (value !== undefined) where.push(`strpos(lower(${expression}), lower($${values.push(value)})) > 0`);
  };
  for (const [column, value] of filters) whereEquals(column, value);
  const whereMatches = isPartial ? whereContains : whereEquals;
  whereMatches('event_type', type);
  whereMatches(correlationColumn, correlation);
  whereMatches(userColumn, user);
  whereMatches(tenantColumn, tenant);
  const rows = await database.rows({
    text: `SELECT ${positionColumn}, ${columns} FROM ${table} WHERE ${where.join(' AND ')}
      ORDER BY ${positionColumn} DESC LIMIT $3`,
    values,
  });
  return rows.reverse();
}

/** 0 if there is none. */
export async function lastPosition(
  database: Database,
  { table, positionColumn, filters = [] }: RecordTable,
): Promise<Long> {
  const where = filters.map(([column], index) => `${column} = $${index + 1}`).join(' AND ');
  const [row] = await database.rows({
    text: `SELECT max(${positionColumn}) FROM ${table}${where === '' ? '' : ` WHERE ${where}`}`,
    values: filters.map(([, value]) => value),
  });
  return Number(row?.[0] ?? 0);
}
