import type { Duration } from '../../contracts/scalars.js';
import { connect } from '../database/connect.js';
import { notify } from '../database/notify.js';
import { millisecondsOf } from '../timers/duration.js';
import { until } from './until.js';

/** After that time passes all the same: an event may wait for something that the test does later. */
const settlesWithinMs = 20_000;

/** A host that died is not waited for. */
const unhandledText = `SELECT EXISTS (
    SELECT 1 FROM svc_progress p JOIN svc_hosts h ON p.name = ANY(h.names)
      WHERE (starts_with(p.name, 'process/') OR starts_with(p.name, 'reaction/')) AND p.adopted_by IS NULL
        AND p.position < svc_head() AND h.seen_at > clock_timestamp() - interval '5 s'
  ) OR EXISTS (
    SELECT 1 FROM svc_timers t JOIN svc_hosts h ON 'timers/' || t.part = ANY(h.names)
      WHERE t.due_at <= clock_timestamp() AND NOT t.parked AND h.seen_at > clock_timestamp() - interval '5 s'
  ) AS unhandled`;

/**
 * Lets the timers of a service under test come nearer: those of receptors, reactions and processes that are due within
 * this time fire at once, and effects that wait no longer are called. Before that its hosts handle what has happened so
 * far, so that the timers are set. Schedules and the clock of the database stay as they are.
 */
export async function passTime(databaseUrl: string, time: Duration): Promise<void> {
  const ms = millisecondsOf(time, 'The time');
  const client = await connect(databaseUrl);
  try {
    const isSettled = async () => (await client.query(unhandledText)).rows[0]?.['unhandled'] === false;
    await until(isSettled, settlesWithinMs).catch(() => undefined);
    await client.query(
      // A request that is called already is due at the end of its claim.
      `UPDATE svc_timers SET due_at = due_at - $1 * interval '1 ms'
        WHERE kind <> 'schedule' AND claimed_by IS NULL AND NOT parked`,
      [ms],
    );
    await notify({ rows: async ({ text }) => (await client.query(text), []) }, 'svc');
  } finally {
    await client.end();
  }
}
