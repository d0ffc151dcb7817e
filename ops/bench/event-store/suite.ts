import { fileURLToPath } from 'node:url';
import type { Order } from '../append/closed-loop.js';
import { startWorker, type Worker } from '../append/worker-process.js';
import { withDatabases } from '../harness/databases.js';
import { type Contender, installPeers, peer, startAll } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { interleave } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';

interface Store extends Contender {
  readonly module: string;
}

type Running = Store & Worker;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const plain = 'transaction per event';

const stores: readonly Store[] = [
  { name: 'ours', module: compiled('../append/our-log.js') },
  { name: plain, module: compiled('../append/transaction-log.js') },
  { name: 'Emmett', module: peer('emmett.mjs'), isPeer: true },
];

const callerCounts = [1, 2, 4, 8, 16, 32];

const works = {
  bytes: 'an event of 256 bytes per append, a new stream after 10, by',
  reads: 'a stream of 10 events of 256 bytes per read, of 500 streams, by',
} as const;

/** The workloads `scaling-writers` and `scaling-readers` of the Event Store Benchmark Suite. */
export const eventStore = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(stores.length, async (urls) => {
    const running: Running[] = [];
    try {
      const start = async (store: Store): Promise<Running> => ({
        ...store,
        ...(await startWorker(store.module, urls[stores.indexOf(store)] ?? '')),
      });
      const missing = await startAll(stores, start, running, { install: () => installPeers(run) });
      run.printProgress('event-store: warming up');
      for (const store of running) await store.measure({ callers: 32, seconds: 1, work: 'reads' });
      const sections: Section[] = [];
      for (const work of ['bytes', 'reads'] as const)
        for (const callers of callerCounts)
          sections.push(await measured(run, running, missing, { work, callers }));
      return sections;
    } finally {
      await Promise.all(running.map((store) => store.close()));
    }
  });

async function measured(
  run: SuiteRun,
  running: readonly Running[],
  missing: readonly Missing[],
  { work, callers }: Required<Pick<Order, 'work' | 'callers'>>,
): Promise<Section> {
  const { rounds, signal, seconds = 2 } = run;
  const rate = work === 'reads' ? 'reads/s' : 'events/s';
  run.printProgress(`event-store: ${rate}, ${callers} callers, ${rounds} rounds`);
  const variants = running.map((store) => ({
    name: store.name,
    measure: async () => {
      const { rate: perSecond, p50, p99 } = await store.measure({ callers, seconds, work });
      return { [rate]: perSecond, 'p50 ms': p50, 'p99 ms': p99 };
    },
  }));
  return {
    title: `event-store: ${works[work]} ${callers} ${callers === 1 ? 'caller' : 'callers'}`,
    figures: [rate, 'p50 ms', 'p99 ms'],
    baseline: plain,
    missing,
    targets: [],
    rounds: await interleave(variants, rounds, signal),
  };
}
