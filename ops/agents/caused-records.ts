import { Problem } from '../../contracts/problems.js';
import type { Database } from '../../runtime/database/database.js';
import { firstSince } from '../audit/first-since.js';
import { correlationColumn } from '../audit/record-query.js';
import { timeOfId } from '../console/sources/host/rebuilt-request.js';
import { askedRows, type Found } from './operator-tool.js';

/** The clocks of host and server may differ; what follows later is found with its own time. */
const before = `interval '5 seconds'`;
const after = `interval '1 hour'`;
/** No index has correlation ids: this many positions are read in less than a second. */
const mostSearched = 200_000;

/** The events and audits with a correlation id, in the order in which they were stored. */
export async function causedRecords(
  database: Database,
  correlationId: string,
  around: string | undefined,
): Promise<Found> {
  const made = timeOfId(correlationId);
  const start = around ?? (made === undefined ? undefined : new Date(made).toISOString());
  if (start === undefined)
    throw new Problem('invalid-query', {
      detail: 'This id holds no time; pass around, a time at which it ran.',
    });
  const rows = await database.rows({ text: query, values: [start, correlationId] });
  return {
    rows: rows.map(([position, id, type, about, causedBy, recordedAt, host]) => ({
      position: Number(position),
      id,
      type,
      about,
      causedBy,
      recordedAt,
      host,
    })),
  };
}

const ofTable = (table: string, about: string, causedBy: string, correlation: string): string => `
  SELECT global_position, event_id, event_type, ${about}, ${causedBy}, svc_iso_time(recorded_at), host FROM ${table},
    (SELECT ${firstSince(table, 'global_position', `($1::timestamptz - ${before})`)} AS low,
      ${firstSince(table, 'global_position', `($1::timestamptz + ${after})`)} AS high) span
  WHERE global_position >= low AND global_position <= least(high, low + ${mostSearched}) AND ${correlation} = $2`;

// The audit of an event says no more than the event.
const query = `SELECT * FROM (
  ${ofTable('svc_events', `stream_id || ' @ ' || stream_position`, `metadata ->> 'causationId'`, `metadata ->> 'correlationId'`)}
  UNION ALL
  ${ofTable('svc_system_events', `coalesce(data ->> 'commandType', data ->> 'resourceType')`, `coalesce(data ->> 'causationId', metadata ->> 'causationId')`, `event_type <> 'EventAudited' AND ${correlationColumn}`)}
) caused ORDER BY global_position LIMIT ${askedRows}`;
