import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../../runtime/database/database.js';

export interface SystemStreamFilter {
  readonly correlation?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly type?: string | undefined;
  /** The command that a record is about. */
  readonly command?: string | undefined;
  readonly host?: string | undefined;
  /** The stream that a record is about. */
  readonly stream?: string | undefined;
  /** Only records of failures and refusals, or all others. */
  readonly status?: 'failed' | 'succeeded' | undefined;
  /** ISO 8601. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
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
  filter: SystemStreamFilter,
  { from, to, newest = windowSize }: { readonly from: Long; readonly to: Long; readonly newest?: number },
  { table, positionColumn, filters = [] }: RecordTable = ownSystemStream,
): Promise<readonly Row[]> {
  const values: unknown[] = [from, to, newest];
  const where = [
    `${positionColumn} >= $1`,
    `${positionColumn} <= $2`,
    ...conditionsOf(filter, filters, values),
  ];
  const rows = await database.rows({
    text: `SELECT ${positionColumn}, ${columns} FROM ${table} WHERE ${where.join(' AND ')}
      ORDER BY ${positionColumn} DESC LIMIT $3`,
    values,
  });
  return rows.reverse();
}

const failures = 'Failed|DeadLettered|Denied|Error';

/** The conditions of a filter as SQL; their values are added to `values`. */
export function conditionsOf(
  filter: SystemStreamFilter,
  fixed: NonNullable<RecordTable['filters']>,
  values: unknown[],
): readonly string[] {
  const { correlation, user, tenant, type, command, host, stream, status, since, until } = filter;
  const { isPartial = false } = filter;
  const given = (make: (parameter: string) => string, value: unknown): string[] =>
    value === undefined ? [] : [make(`$${values.push(value)}`)];
  const equals = (expression: string, value: unknown) => given((one) => `${expression} = ${one}`, value);
  const contains = (expression: string, value: unknown) =>
    given((one) => `strpos(lower(${expression}), lower(${one})) > 0`, value);
  const matches = isPartial ? contains : equals;
  return [
    ...fixed.flatMap(([column, value]) => equals(column, value)),
    ...matches('event_type', type),
    ...matches(`data ->> 'commandType'`, command),
    ...matches(correlationColumn, correlation),
    ...matches(userColumn, user),
    ...matches(tenantColumn, tenant),
    ...matches('host', host),
    ...equals(`data ->> 'originalStreamId'`, stream),
    ...given((one) => `(event_type ~ '${failures}') = (${one} = 'failed')`, status),
    ...given((one) => `recorded_at >= ${one}::timestamptz`, since),
    ...given((one) => `recorded_at <= ${one}::timestamptz`, until),
  ];
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
