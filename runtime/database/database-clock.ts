import type { Database } from './database.js';

/** Clock differences in seconds. */
export interface DatabaseClock {
  /** How far the database's clock is ahead of ours; negative when it is behind. */
  readonly ahead: number;
  /** How far the newest recorded time is ahead of the database's clock: that clock was ahead and was set back. */
  readonly logAhead: number;
}

const text = `SELECT extract(epoch FROM clock_timestamp()), extract(epoch FROM greatest(
    (SELECT recorded_at FROM svc_events ORDER BY global_position DESC LIMIT 1),
    (SELECT recorded_at FROM svc_system_events ORDER BY stream_position DESC LIMIT 1)) - clock_timestamp())`;

/** As precise as one round trip allows. */
export async function readDatabaseClock(
  database: Pick<Database, 'rows'>,
  now: () => number = Date.now,
): Promise<DatabaseClock> {
  const before = now();
  const [row] = await database.rows({ text });
  const after = now();
  const databaseMs = Number(row?.[0]) * 1_000;
  // Any time between request and response counts as no difference.
  const offset = databaseMs > after ? databaseMs - after : Math.min(0, databaseMs - before);
  return { ahead: offset / 1_000, logAhead: Math.max(0, Number(row?.[1] ?? 0)) };
}
