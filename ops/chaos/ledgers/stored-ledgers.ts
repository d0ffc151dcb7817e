import type { Database } from '../../../runtime/database/database.js';
import { ofReactions } from '../../../runtime/reactions/reaction-lists.js';
import type { LedgerEvent, StoredLedgers } from './ledger-check.js';

export async function readLedgers(database: Database): Promise<StoredLedgers> {
  const events = await database.rows({
    text: `SELECT e.event_type, e.stream_id, e.data ->> 'n', e.data ->> 'owner', count(a.id)
      FROM svc_event_stream e LEFT JOIN (SELECT s.data ->> 'originalEventId' AS id FROM svc_system_stream s
        WHERE s.event_type = 'EventAudited') a ON a.id = e.event_id::text
      WHERE e.event_type <> 'Appended'
      GROUP BY e.global_position, 1, 2, 3, 4 ORDER BY e.global_position`,
  });
  const commands = await database.rows({
    text: `SELECT data ->> 'commandType', count(*) FROM svc_system_events WHERE event_type = 'CommandAudited' GROUP BY 1`,
  });
  const processes = await database.rows({
    text: `SELECT key, CASE WHEN status = 'ended' THEN state ELSE status END FROM svc_processes`,
  });
  const [[timers, aside] = []] = await database.rows({
    text: `SELECT (SELECT count(*) FROM svc_timers), (SELECT count(*) FROM svc_stuck_work WHERE ${ofReactions})`,
  });
  const owners = await database.rows({ text: 'SELECT owner FROM svc_reservations' });
  return {
    events: events.map(([type, key, n, owner, audits]): LedgerEvent => ({
      type: type ?? '',
      key: key ?? '',
      n: typeof n === 'string' ? Number(n) : undefined,
      owner: owner ?? undefined,
      audits: Number(audits),
    })),
    commandAudits: new Map(commands.map(([type, count]) => [type ?? '', Number(count)])),
    processes: new Map(processes.map(([key, state]) => [key ?? '', state ?? ''])),
    timersLeft: Number(timers),
    asideKeys: Number(aside),
    owners: owners.map(([owner]) => owner ?? ''),
  };
}

/** Whether every effect that can still come has come. */
export async function isSettled(database: Database): Promise<boolean> {
  const [[settled] = []] = await database.rows({
    text: `SELECT NOT EXISTS (SELECT FROM svc_timers WHERE NOT parked)
      AND NOT EXISTS (SELECT FROM svc_stuck_work WHERE ${ofReactions} AND state <> 'parked')
      AND (SELECT count(*) FROM svc_events WHERE event_type = 'Ordered') <= (SELECT count(*) FROM svc_processes WHERE status <> 'running')
      AND (SELECT count(*) FROM svc_events WHERE event_type = 'Counted') <= (SELECT count(*) FROM svc_events WHERE event_type = 'Noted')`,
  });
  return settled === 't';
}
