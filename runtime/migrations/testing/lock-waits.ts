import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../database/connect.js';

const everyMs = 10;

/** The longest time that anyone waited behind a connection with this name, according to the server. */
export async function watchLockWaits<T>(
  url: string,
  applicationName: string,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly longestMs: number }> {
  const client = await connect(url);
  const stop = new AbortController();
  let longestMs = 0;
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const { rows } = await client.query<{ ms: string | null }>({
        text: longestWaitQuery,
        values: [applicationName],
      });
      longestMs = Math.max(longestMs, Number(rows[0]?.ms ?? 0));
      await sleep(everyMs);
    }
  })();
  try {
    const result = await body();
    return { result, longestMs };
  } finally {
    stop.abort();
    await watching;
    await client.end();
  }
}

const longestWaitQuery = `SELECT max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000) AS ms FROM pg_locks l
  WHERE NOT l.granted AND EXISTS (SELECT 1 FROM pg_stat_activity a
    WHERE a.application_name = $1 AND a.pid <> l.pid AND a.pid = ANY(pg_blocking_pids(l.pid)))`;
