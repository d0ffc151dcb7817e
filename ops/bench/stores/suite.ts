import { openLog } from '../append/our-log.js';
import type { EventLog } from '../append/event-log.js';
import { closedLoop } from '../append/closed-loop.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { watchLock } from './watch-lock.js';

const callers = 16;
const defaultSeconds = 3;
const counts = [1, 2, 4, 8] as const;
const nameOf = (count: number): string => (count === 1 ? '1 store' : `${count} stores`);

/** Stores that share a server: PostgreSQL has one lock for the notifications of all its databases. */
export function stores(run: SuiteRun): Promise<readonly Section[]> {
  const most = Math.max(2, scaled(8, run));
  return withDatabases(most, async (urls) => {
    const logs: EventLog[] = [];
    try {
      run.printProgress(`stores: opening ${urls.length}`);
      for (const url of urls) logs.push(await openLog(url));
      const { rounds, signal, seconds = defaultSeconds } = run;
      const variants = counts
        .filter((count) => count <= most)
        .map((count) => ({
          name: nameOf(count),
          measure: () => measure(logs.slice(0, count), urls, seconds),
        }));
      run.printProgress(`stores: ${rounds} rounds`);
      return [
        {
          title: `stores: ${callers} callers each on one server, fsync on`,
          figures: ['events/s', 'waiting', 'samples'],
          baseline: nameOf(1),
          rounds: await interleave(variants, rounds, signal),
          targets: variants.map(({ name }) => ({
            figure: 'waiting',
            of: name,
            atMost: 0,
            inEveryRound: true,
          })),
          missing: [],
        },
      ];
    } finally {
      for (const log of logs) await log.close();
    }
  });
}

/** `waiting`: the sessions that wait for the lock, in an average sample. */
async function measure(
  logs: readonly EventLog[],
  urls: readonly string[],
  seconds: number,
): Promise<Figures> {
  const { result, samples, waits } = await watchLock(urls, () =>
    Promise.all(logs.map((log) => closedLoop(log, { callers, seconds }))),
  );
  return {
    'events/s': result.reduce((sum, { rate }) => sum + rate, 0),
    waiting: waits / samples,
    samples,
  };
}
