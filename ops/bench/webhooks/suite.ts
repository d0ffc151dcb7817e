import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../runtime/database/database.js';
import { withWebhookService } from '../../testing/webhook-library.js';
import { startChild } from '../harness/child.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { quantile } from '../harness/statistics.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { type Receivers, withReceivers } from './receivers.js';
import {
  forgetDue,
  happens,
  makeDue,
  settled,
  type Subscriber,
  subscribed,
  untilArrived,
} from './subscribers.js';

const hostScript = fileURLToPath(new URL('host.js', import.meta.url));
const eventsPerSecond = 50;
const subscriberCount = 200;

interface Bench {
  readonly url: string;
  readonly database: ReturnType<typeof openDatabase>;
  readonly arrivals: Receivers['arrivals'];
  readonly alive: readonly Subscriber[];
  readonly silent: Subscriber;
  readonly refusing: Subscriber;
}

/** What `svc add webhooks` writes, on one host: deliveries, and what a dead subscriber costs the others. */
export const webhooks = (run: SuiteRun): Promise<readonly Section[]> =>
  withReceivers(({ alive, silent, refusing, options, arrivals }) => {
    process.env['TEST_WEBHOOKS'] = JSON.stringify(options);
    return withWebhookService((dir) =>
      withDatabases(1, async ([databaseUrl = '']) => {
        const host = await startChild<{ readonly url: string }>(hostScript, [databaseUrl, dir]);
        const database = openDatabase({ url: databaseUrl, statementTimeoutMs: 600_000 });
        try {
          const { url } = host.output;
          const count = scaled(subscriberCount, run);
          run.printProgress(`webhooks: ${count} subscribers`);
          const urls = [...Array.from({ length: count }, (_, nth) => `${alive}${nth}`), silent, refusing];
          const all = await subscribed(url, database, urls);
          const [mute, closed] = all.slice(count) as [Subscriber, Subscriber];
          const others = all.slice(0, count);
          const bench = { url, database, arrivals, alive: others, silent: mute, refusing: closed };
          await deliveries(bench, scaled(2_000, run));
          return [await throughput(bench, run), await delays(bench, run)];
        } finally {
          await database.close();
          await host.stop();
        }
      }),
    ).finally(() => delete process.env['TEST_WEBHOOKS']);
  });

async function deliveries({ database, arrivals, alive }: Bench, count: number): Promise<Figures> {
  arrivals.length = 0;
  await makeDue(database, count, alive);
  await untilArrived(arrivals, count);
  const times = arrivals.map(({ at }) => at);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  return { '1/s': seconds === 0 ? 0 : (count - 1) / seconds };
}

async function throughput(bench: Bench, run: SuiteRun): Promise<Section> {
  const count = scaled(5_000, run);
  run.printProgress(`webhooks: ${count} deliveries`);
  const of = 'deliveries';
  return {
    title: `webhooks: ${count} deliveries to ${bench.alive.length} subscribers`,
    figures: ['1/s'],
    baseline: of,
    rounds: await interleave([{ name: of, measure: () => deliveries(bench, count) }], run.rounds, run.signal),
    targets: [{ figure: '1/s', of, atLeast: 500 }],
    missing: [],
  };
}

/** From an event to its request, at subscribers that answer. */
async function delays(bench: Bench, run: SuiteRun): Promise<Section> {
  const waiting = scaled(100_000, run);
  run.printProgress(`webhooks: ${eventsPerSecond} events/s beside a subscriber with ${waiting} waiting`);
  const [none, refuses, isSilent] = ['all answer', 'one refuses connections', 'one never answers'];
  const seconds = run.seconds ?? 10;
  const beside = async (dead?: Subscriber): Promise<Figures> => {
    if (dead !== undefined) await makeDue(bench.database, waiting, [dead]);
    await settled(bench.database);
    // Its calls have begun.
    await delay(2_000);
    const found = await delaysOf(bench, Math.ceil(eventsPerSecond * seconds));
    await forgetDue(bench.database);
    return found;
  };
  const rounds = await interleave(
    [
      { name: none, measure: () => beside() },
      { name: refuses, measure: () => beside(bench.refusing) },
      { name: isSilent, measure: () => beside(bench.silent) },
    ],
    run.rounds,
    run.signal,
  );
  return {
    title: `webhooks: ${eventsPerSecond} events/s beside a dead subscriber with ${waiting} waiting`,
    figures: ['p99 ms', 'p50 ms'],
    baseline: none,
    rounds,
    targets: [
      { figure: 'p99 ms', of: none, atMost: 300 },
      { figure: 'p99 ms', of: refuses, against: none, atMost: 1.2 },
      { figure: 'p99 ms', of: isSilent, against: none, atMost: 1.2 },
    ],
    missing: [],
  };
}

async function delaysOf({ url, arrivals, alive }: Bench, count: number): Promise<Figures> {
  arrivals.length = 0;
  const sent: Promise<void>[] = [];
  const began = performance.now();
  for (let nth = 0; nth < count; nth++) {
    await delay(began + (nth * 1_000) / eventsPerSecond - performance.now());
    const subscriber = alive[nth % alive.length];
    if (subscriber !== undefined) sent.push(happens(url, subscriber));
  }
  await Promise.all(sent);
  await untilArrived(arrivals, count);
  const found = arrivals.map(({ afterMs }) => afterMs);
  return { 'p99 ms': quantile(found, 0.99), 'p50 ms': quantile(found, 0.5) };
}
