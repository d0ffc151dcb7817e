import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';

export interface SystemStreamFilter {
  readonly correlation?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly type?: string | undefined;
}

/** Where records are, and what their positions are called there. */
export interface RecordLog {
  readonly table: string;
  readonly position: string;
  /** Only records with this value in that column. */
  readonly only?: readonly (readonly [column: string, value: unknown])[];
}

export const ownStream: RecordLog = { table: 'svc_system_events', position: 'stream_position' };

/** So many records are looked at in one query. */
export const window = 5000;

export const userColumn = `coalesce(data ->> 'userId', metadata -> 'scope' ->> 'userId')`;
export const tenantColumn = `coalesce(data ->> 'tenantId', metadata -> 'scope' ->> 'tenantId')`;
export const correlationColumn = `coalesce(data ->> 'correlationId', metadata ->> 'correlationId')`;

/** The newest records of a range that match, oldest first; the position stands before the columns. */
export async function matching(
  database: Database,
  columns: string,
  { correlation, user, tenant, type }: SystemStreamFilter,
  { from, to, newest = window }: { readonly from: Long; readonly to: Long; readonly newest?: number },
  { table, position, only = [] }: RecordLog = ownStream,
): Promise<readonly Row[]> {
  const values: unknown[] = [from, to, newest];
  const where = [`${position} >= $1`, `${position} <= $2`];
  const must = (expression: string, value: unknown) => {
    if (value !== undefined) where.push(`${expression} = $${values.push(value)}`);
  };
  for (const [column, value] of only) must(column, value);
  must('event_type', type);
  must(correlationColumn, correlation);
  must(userColumn, user);
  must(tenantColumn, tenant);
  const rows = await database.rows({
    text: `SELECT ${position}, ${columns} FROM ${table} WHERE ${where.join(' AND ')}
      ORDER BY ${position} DESC LIMIT $3`,
    values,
  });
  return rows.reverse();
}

/** 0 where there is none. */
export async function lastIn(database: Database, { table, position, only = [] }: RecordLog): Promise<Long> {
  const where = only.map(([column], index) => `${column} = $${index + 1}`).join(' AND ');
  const [row] = await database.rows({
    text: `SELECT max(${position}) FROM ${table}${where === '' ? '' : ` WHERE ${where}`}`,
    values: only.map(([, value]) => value),
  });
  return Number(row?.[0] ?? 0);
}
