import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';

export interface SystemStreamFilter {
  readonly correlation?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly type?: string | undefined;
}

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
): Promise<readonly Row[]> {
  const values: unknown[] = [from, to, newest];
  const where = ['stream_position >= $1', 'stream_position <= $2'];
  const must = (expression: string, value: string | undefined) => {
    if (value !== undefined) where.push(`${expression} = $${values.push(value)}`);
  };
  must('event_type', type);
  must(correlationColumn, correlation);
  must(userColumn, user);
  must(tenantColumn, tenant);
  const rows = await database.rows({
    text: `SELECT stream_position, ${columns} FROM svc_system_events WHERE ${where.join(' AND ')}
      ORDER BY stream_position DESC LIMIT $3`,
    values,
  });
  return rows.reverse();
}
