import type { Database } from './database.js';

/** How far clocks are apart, in seconds. */
export interface DatabaseClock {
  /** The database's clock before ours; negative when it is behind. */
  readonly ahead: number;
  /** The newest recorded time before the database's clock: that clock has been ahead and was set back. */
  readonly logAhead: number;
}

const text = `SELECT extract(epoch FROM clock_timestamp()), extract(epoch FROM greatest(
    (SELECT recorded_at FROM svc_events ORDER BY global_position DESC LIMIT 1),
    (SELECT recorded_at FROM svc_system_events ORDER BY stream_position DESC LIMIT 1)) - clock_timestamp())`;

/** As exactly as one round trip can measure it. */
export async function readDatabaseClock(
  database: Pick<Database, 'rows'>,
  now: () => number = Date.now,
): Promise<DatabaseClock> {
  const before = now();
  const [row] = await database.rows({ text });
  const after = now();
  const there = Number(row?.[0]) * 1_000;
  // Anywhere between question and answer is no difference at all.
  const offset = there > after ? there - after : Math.min(0, there - before);
  return { ahead: offset / 1_000, logAhead: Math.max(0, Number(row?.[1] ?? 0)) };
}
