import type { Database } from '../database/database.js';

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

const text = `SELECT e.messages + s.messages,
    coalesce(greatest(0, extract(epoch FROM clock_timestamp() - least(e.oldest, s.oldest))), 0),
    current_setting('transaction_read_only') = 'on'
  FROM svc_progress c, svc_broker b, ${waiting('svc_events', 'origin = 0 AND publish')} e, ${waiting('svc_system_events', '(publish OR global_position <= b.republish_to)')} s
  WHERE c.name = 'outbox'`;

export async function readOutboxBacklog(database: Pick<Database, 'rows'>): Promise<OutboxBacklog> {
  const [row] = await database.rows({ text });
  return {
    messages: Number(row?.[0] ?? 0),
    oldestAgeSeconds: Number(row?.[1] ?? 0),
    isReadOnly: row?.[2] === 't',
  };
}
