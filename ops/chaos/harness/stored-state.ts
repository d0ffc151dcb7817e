import type { Database } from '../../../runtime/database/database.js';
import type { StoredState } from './consistency-check.js';

/** The content of the store, read through the public views; with a host, only the events it wrote. */
export async function readStoredState(database: Database, host?: string): Promise<StoredState> {
  const events = await database.rows({
    text: `SELECT e.event_id, e.stream_id, e.correlation_id, count(a.data), e.event_type LIKE 'Stock%'
      FROM svc_event_stream e LEFT JOIN svc_system_stream a ON a.event_type = 'EventAudited'
        AND a.data ->> 'auditReason' IS DISTINCT FROM 'received'
        AND a.data ->> 'originalEventId' = e.event_id::text
        AND a.data ->> 'originalStreamId' = e.stream_id::text
        AND (a.data ->> 'originalStreamPosition')::bigint = e.stream_position
      WHERE $1::text IS NULL OR e.host = $1 GROUP BY 1, 2, 3, 5`,
    values: [host ?? null],
  });
  const commands = await database.rows({
    text: `SELECT data ->> 'correlationId', data ->> 'commandType' LIKE '%Stock' FROM svc_system_stream
      WHERE event_type = 'CommandAudited'`,
  });
  const [orphans] = await database.rows({
    text: `SELECT count(*) FROM svc_system_stream a WHERE a.event_type = 'EventAudited'
      AND a.data ->> 'auditReason' IS DISTINCT FROM 'received' AND NOT EXISTS
      (SELECT FROM svc_event_stream e WHERE e.event_id::text = a.data ->> 'originalEventId')`,
  });
  // No client sends commands about stock: the fulfilment of an order does.
  const workOf = (byService: 't' | 'f') => ({
    events: events
      .filter(([, , , , isStock]) => isStock === byService)
      .map(([eventId, streamId, correlationId, audits]) => ({
        eventId: eventId ?? '',
        streamId: streamId ?? '',
        correlationId: correlationId ?? '',
        audits: Number(audits),
      })),
    commandAudits: commands
      .filter(([, isStock]) => isStock === byService)
      .map(([correlationId]) => correlationId ?? ''),
  });
  return { ...workOf('f'), byService: workOf('t'), orphans: Number(orphans?.[0]) };
}
