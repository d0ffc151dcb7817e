import { connect } from '../../../runtime/database/connect.js';
import { cpuSeconds } from '../http/cpu-time.js';

/**
 * The CPU time that the server has used for the clients of a database but those that ask, if it runs on this machine, and
 * the number of records.
 */
export async function workOf(
  url: string,
  asking: readonly number[] = [],
): Promise<{ readonly seconds: number; readonly records: number }> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ pid: number; records: string }>(
      `SELECT pid, (SELECT max(stream_position) FROM svc_system_events) AS records FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL($1) AND backend_type = 'client backend'`,
      [asking],
    );
    let seconds = 0;
    for (const { pid } of rows) seconds += (await cpuSeconds(pid)) ?? Number.NaN;
    return { seconds, records: Number(rows[0]?.records ?? 0) };
  } finally {
    await client.end();
  }
}
