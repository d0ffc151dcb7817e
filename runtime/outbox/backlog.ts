import type { Database } from '../database/database.js';
import { readObjects } from '../database/read-objects.js';

/** What the outbox has not published yet. */
export interface OutboxBacklog {
  /** Counted up to `countedAtMost`. */
  readonly messages: number;
  /** 0 when nothing is waiting. */
  readonly oldestAgeSeconds: number;
  /** The server accepts no writes: it is a standby, or configured as read-only. */
  readonly isReadOnly: boolean;
}

const countLimit = 10_000;

const waiting = (table: string, marked: string): string => `LATERAL (
  SELECT min(recorded_at) AS oldest, count(*) AS messages FROM (
    SELECT recorded_at FROM ${table} WHERE ${marked} AND global_position > c.position ORDER BY global_position LIMIT ${countLimit}
  ) p)`;

const text = `SELECT e.messages + s.messages AS messages,
    coalesce(greatest(0, extract(epoch FROM clock_timestamp() - least(e.oldest, s.oldest))), 0) AS "oldestAgeSeconds",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly"
  FROM svc_progress c, svc_broker b, ${waiting('svc_events', 'origin = 0 AND publish')} e, ${waiting('svc_system_events', '(publish OR global_position <= b.republish_to)')} s
  WHERE c.name = 'outbox'`;

export async function readOutboxBacklog(database: Pick<Database, 'rows'>): Promise<OutboxBacklog> {
  const [found] = await readObjects<OutboxBacklog>(database, { text });
  return found ?? { messages: 0, oldestAgeSeconds: 0, isReadOnly: false };
}
