import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../../runtime/database/connect.js';

export interface Watched<T> {
  readonly result: T;
  readonly samples: number;
  /** The sessions that waited, in all samples together. */
  readonly waits: number;
}

const sampleMs = 5;

/** Sessions that append take only one lock of this kind: that of notifications. */
const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
  WHERE datname = ANY($1) AND wait_event_type = 'Lock' AND wait_event = 'object'`;

/** Samples how many sessions of these databases wait for the lock of notifications until the work is done. */
export async function watchLock<T>(urls: readonly string[], work: () => Promise<T>): Promise<Watched<T>> {
  const [url = ''] = urls;
  const names = urls.map((one) => new URL(one).pathname.slice(1));
  const client = await connect(url);
  try {
    let [samples, waits] = [0, 0];
    const done = new AbortController();
    const working = work().finally(() => done.abort());
    const sampling = async (): Promise<void> => {
      while (!done.signal.aborted) {
        const { rows } = await client.query<{ waiting: number }>(text, [names]);
        samples++;
        waits += rows[0]?.waiting ?? 0;
        await sleep(sampleMs);
      }
    };
    const [result] = await Promise.all([working, sampling()]);
    return { result, samples, waits };
  } finally {
    await client.end();
  }
}
