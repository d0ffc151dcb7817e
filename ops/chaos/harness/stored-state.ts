import type { Database } from '../../../runtime/database/database.js';
import type { StoredState } from './consistency-check.js';

/** The content of the store, read through the public views; with a host, only the events it wrote. */
export async function readStoredState(database: Database, host?: string): Promise<StoredState> {
  const events = await database.rows({
    text: `SELECT e.event_id, e.stream_id, e.correlation_id, count(a.data)
      FROM svc_event_stream e LEFT JOIN svc_system_stream a ON a.event_type = 'EventAudited'
        AND a.data ->> 'auditReason' IS DISTINCT FROM 'received'
        AND a.data ->> 'originalEventId' = e.event_id::text
        AND a.data ->> 'originalStreamId' = e.stream_id::text
        AND (a.data ->> 'originalStreamPosition')::bigint = e.stream_position
      WHERE $1::text IS NULL OR e.host = $1 GROUP BY 1, 2, 3`,
    values: [host ?? null],
  });
  const commands = await database.rows({
    text: `SELECT data ->> 'correlationId' FROM svc_system_stream WHERE event_type = 'CommandAudited'`,
  });
  const [orphans] = await database.rows({
    text: `SELECT count(*) FROM svc_system_stream a WHERE a.event_type = 'EventAudited'
      AND a.data ->> 'auditReason' IS DISTINCT FROM 'received' AND NOT EXISTS
      (SELECT FROM svc_event_stream e WHERE e.event_id::text = a.data ->> 'originalEventId')`,
  });
  return {
    events: events.map(([eventId, streamId, correlationId, audits]) => ({
      eventId: eventId ?? '',
      streamId: streamId ?? '',
      correlationId: correlationId ?? '',
      audits: Number(audits),
    })),
    commandAudits: commands.map(([correlationId]) => correlationId ?? ''),
    orphans: Number(orphans?.[0]),
  };
}
