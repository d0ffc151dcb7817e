import type { Duration } from '../../contracts/scalars.js';
import { connect } from '../database/connect.js';
import { notify } from '../database/notify.js';
import { millisecondsOf } from '../timers/duration.js';

/**
 * Lets the timers of a service under test come nearer: those of receptors, reactions and processes that are due within
 * this time fire at once. Schedules and the clock of the database stay as they are.
 */
export async function passTime(databaseUrl: string, time: Duration): Promise<void> {
  const ms = millisecondsOf(time, 'The time');
  const client = await connect(databaseUrl);
  try {
    await client.query(
      "UPDATE svc_timers SET due_at = due_at - $1 * interval '1 ms' WHERE kind IN ('command', 'process') AND NOT parked",
      [ms],
    );
    await notify({ rows: async ({ text }) => (await client.query(text), []) }, 'svc');
  } finally {
    await client.end();
  }
}
