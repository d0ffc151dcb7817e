import type { StreamRecord } from '../../model/system-records.js';
import type { Database } from '../../../../runtime/database/database.js';
import { correlationColumn } from '../../../audit/record-query.js';
import { isoTime, listColumns, streamRecordOf } from './system-stream-part.js';

interface StoredByRequest {
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

/** The clocks of host and server may differ, and consequences of a request may be stored after its answer. */
const marginMs = 5_000;
const maxRecords = 100;

/** The records that a request stored, found in the part of the log written around its time. */
export async function storedByRequest(
  database: Database,
  correlationId: string,
  { startedAt, ms }: { readonly startedAt: string; readonly ms: number },
): Promise<StoredByRequest> {
  const began = Date.parse(startedAt);
  const values = [
    new Date(began - marginMs).toISOString(),
    new Date(began + ms + marginMs).toISOString(),
    correlationId,
  ];
  const found = async (table: string, position: string, columns: string, correlation: string) => {
    const rows = await database.rows({
      text: `SELECT ${position}, ${columns} FROM ${table}
        WHERE ${position} >= ${firstSince(table, position, '$1')} AND ${position} <= ${firstSince(table, position, '$2')}
          AND ${correlation} = $3
        ORDER BY ${position} LIMIT ${maxRecords}`,
      values,
    });
    return rows.map(streamRecordOf);
  };
  const [events, records] = await Promise.all([
    found('svc_events', 'global_position', eventColumns, `metadata ->> 'correlationId'`),
    found('svc_system_events', 'stream_position', listColumns, correlationColumn),
  ]);
  return { events, records };
}

const eventColumns = `event_id, event_type, ${isoTime('recorded_at')}, host, stream_id || ' @ ' || stream_position,
  metadata -> 'scope' ->> 'userId', metadata -> 'scope' ->> 'tenantId', metadata ->> 'correlationId'`;

/** The first position recorded since then, found by bisection: positions and times rise together. */
const firstSince = (table: string, position: string, time: string): string => `(
  WITH RECURSIVE search(low, high) AS (
    SELECT 0::bigint, coalesce((SELECT max(${position}) FROM ${table}), 0)
    UNION ALL
    SELECT CASE WHEN probe.late THEN search.low ELSE (search.low + search.high) / 2 + 1 END,
      CASE WHEN probe.late THEN (search.low + search.high) / 2 ELSE search.high END
    FROM search, LATERAL (
      SELECT recorded_at >= ${time}::timestamptz AS late FROM ${table}
      WHERE ${position} >= (search.low + search.high) / 2 ORDER BY ${position} LIMIT 1) probe
    WHERE search.low < search.high)
  SELECT low FROM search ORDER BY high - low LIMIT 1)`;
