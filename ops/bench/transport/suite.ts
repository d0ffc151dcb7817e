import { setTimeout as delay } from 'node:timers/promises';
import type { Publisher, Transport } from '../../../contracts/transport.js';
import { withNatsServer } from '../../../runtime/testing/nats-server.js';
import { isReachable } from '../../../runtime/testing/reachable.js';
import { natsTransport } from '../../../runtime/transport/nats-transport.js';
import { withDatabases } from '../harness/databases.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import { type BenchStore, openBenchStore } from './bench-store.js';
import { measureIdle } from './idle.js';
import { measureWakeUps } from './wake-up.js';

/** A start has more to do. */
const settleMs = 5_000;

/** The relay from the table to JetStream, its wake-up time, and the cost of an idle host. */
export function transport(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(2, async ([url = '', idleUrl = '']) => {
    const sections: Section[] = [];
    await withNatsServer(async (server) => {
      const nats = natsTransport({ url: server.url, name: 'bench' });
      const store = await openBenchStore(url);
      try {
        while (!(await isReachable(nats))) await delay(20);
        sections.push(await throughput(run, store, nats), await wakeUps(run, store, nats, server.url));
      } finally {
        await store.close();
        await nats.close();
      }
    });
    // Use another broker: the host would receive what was published above.
    await withNatsServer(async (server) => void sections.push(await idle(run, idleUrl, server.url)));
    return sections;
  });
}

async function throughput(run: SuiteRun, store: BenchStore, nats: Transport): Promise<Section> {
  const events = 8 * scaled(5_000, run);
  run.printProgress(`transport: ${events} events from the table to JetStream, ${run.rounds} rounds`);
  const hesitant: Publisher = {
    publish: (message) => nats.publish(message),
    ping: () => nats.ping(),
  };
  const rounds = await interleave(
    [
      { name: 'many streams', measure: () => relay(store, nats, events, 500) },
      { name: 'one stream', measure: () => relay(store, nats, events, 1) },
      { name: 'one stream, one at a time', measure: () => relay(store, hesitant, events / 8, 1) },
    ],
    run.rounds,
    run.signal,
  );
  return {
    title: 'transport: relay from the table to JetStream, end to end',
    figures: ['events/s', 'cpu µs'],
    baseline: 'many streams',
    rounds,
    targets: [
      { figure: 'events/s', of: 'many streams', atLeast: 8_000 },
      { figure: 'events/s', of: 'one stream', atLeast: 8_000 },
    ],
    missing: [],
  };
}

/** Waits until the cursor reaches the end of the log: then the broker has acknowledged everything. */
async function relay(store: BenchStore, to: Publisher, count: number, streams: number): Promise<Figures> {
  await store.append(count, streams);
  const started = performance.now();
  const cpu = process.cpuUsage();
  const relaying = store.relayTo(to);
  try {
    while (!(await store.isDrained())) await delay(5);
    const took = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    return { 'events/s': (count / took) * 1_000, 'cpu µs': (user + system) / count };
  } finally {
    await relaying.stop();
  }
}

async function wakeUps(run: SuiteRun, store: BenchStore, nats: Transport, url: string): Promise<Section> {
  run.printProgress('transport: from a commit to a subscriber');
  const relaying = store.relayTo(nats);
  await delay(1_000);
  const figures = await measureWakeUps(store, url, scaled(300, run));
  await relaying.stop();
  return {
    title: 'transport: from the commit to a subscriber of the broker',
    figures: ['p50 ms', 'p99 ms', 'max ms'],
    baseline: 'wake-up',
    rounds: new Map([['wake-up', [figures]]]),
    targets: [{ figure: 'p99 ms', of: 'wake-up', atMost: 20 }],
    missing: [],
  };
}

async function idle(run: SuiteRun, databaseUrl: string, natsUrl: string): Promise<Section> {
  const seconds = Math.max(20 * run.scale, run.seconds ?? 0);
  run.printProgress(`transport: an idle host for ${seconds} s`);
  const figures = await measureIdle(databaseUrl, natsUrl, { settleMs: scaled(settleMs, run), seconds });
  return {
    title: 'transport: database queries of an idle host',
    figures: ['queries/s'],
    baseline: 'idle host',
    rounds: new Map([['idle host', [figures]]]),
    targets: [{ figure: 'queries/s', of: 'idle host', atMost: 1 }],
    missing: [],
  };
}
