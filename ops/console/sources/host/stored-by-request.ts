import type { StreamRecord } from '../../model/system-records.js';
import type { Database } from '../../../../runtime/database/database.js';
import { firstSince } from '../../../audit/first-since.js';
import { correlationColumn } from '../../../audit/record-query.js';
import { listColumns, streamRecordOf } from './system-stream-part.js';

interface StoredByRequest {
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

/** The clocks of host and server may differ, and consequences of a request may be stored after its answer. */
const marginMs = 5_000;
const maxRecords = 100;
/** No index has correlation ids: this many positions are read in less than a second. */
const maxSearched = 200_000;

/** The records that a request stored, found in the part of the log written around its time. */
export async function storedByRequest(
  database: Database,
  correlationId: string,
  { startedAt, ms }: { readonly startedAt: string; readonly ms: number },
  searched = maxSearched,
): Promise<StoredByRequest> {
  const began = Date.parse(startedAt);
  const values = [
    new Date(began - marginMs).toISOString(),
    new Date(began + ms + marginMs).toISOString(),
    correlationId,
  ];
  const found = async (table: string, position: string, columns: string, correlation: string) => {
    const from = firstSince(table, position, '$1');
    const rows = await database.rows({
      text: `SELECT ${position}, ${columns} FROM ${table}
        WHERE ${position} >= ${from} AND ${position} <= least(${firstSince(table, position, '$2')}, ${from} + ${searched})
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

export const eventColumns = `event_id, event_type, svc_iso_time(recorded_at), host, stream_id || ' @ ' || stream_position,
  metadata -> 'scope' ->> 'userId', metadata -> 'scope' ->> 'tenantId', metadata ->> 'correlationId'`;
