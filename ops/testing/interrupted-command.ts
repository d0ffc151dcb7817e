import type { Database } from '../../runtime/database/database.js';
import { until } from '../../runtime/kit/until.js';
import { type SpawnedCli } from './spawned-host.js';

/** The command waits for the table; the signal has arrived before the table is free again. */
export async function interruptWhileStoring(
  owner: Database,
  table: string,
  start: () => SpawnedCli,
): Promise<SpawnedCli> {
  const session = await owner.session();
  try {
    await session.rows({ text: `BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE` });
    const command = start();
    // One that gives up a lock for a moment begins its transaction again.
    const storing = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
      AND (query LIKE 'INSERT INTO ${table}%' OR query LIKE 'BEGIN; SET LOCAL lock_timeout%' OR query = 'ROLLBACK')`;
    await until(async () => (await owner.rows({ text: storing }))[0]?.[0] !== '0');
    void command.kill('SIGINT');
    await until(() => command.output.stderr.join('').startsWith('svc: Interrupted; '));
    return command;
  } finally {
    await session.rows({ text: 'COMMIT' });
    session.release();
  }
}
