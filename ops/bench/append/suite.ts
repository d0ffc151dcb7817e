import { fileURLToPath } from 'node:url';
import type { Target } from '../harness/targets.js';
import { type Contender, installPeers, peer, startAll } from '../harness/peers.js';
import type { Missing, Section } from '../harness/report.js';
import { interleave, type Rounds } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { withDatabases } from '../harness/databases.js';
import { startWorker, type Worker } from './worker-process.js';

interface Store extends Contender {
  readonly module: string;
}

type Running = Store & Worker;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const ours = 'ours';
const audited = 'ours, audited';
const plain = 'transaction per event';

const stores: readonly Store[] = [
  { name: ours, module: compiled('our-log.js') },
  { name: audited, module: compiled('../audit/our-audited-log.js') },
  { name: plain, module: compiled('transaction-log.js') },
  { name: 'Emmett', module: peer('emmett.mjs'), isPeer: true },
];

const callerCounts = [1, 64, 256];

/** Closed-loop appends, synced to disk, by 1, 64 and 256 callers. */
export function append(run: SuiteRun): Promise<readonly Section[]> {
  return withDatabases(stores.length, async (urls) => {
    const running: Running[] = [];
    try {
      const start = async (store: Store): Promise<Running> => {
        const url = urls[stores.indexOf(store)] ?? '';
        return { ...store, ...(await startWorker(store.module, url)) };
      };
      const missing = await startAll(stores, start, running, { install: () => installPeers(run) });
      return await measureAll(run, running, missing);
    } finally {
      await Promise.all(running.map((store) => store.close()));
    }
  });
}

async function measureAll(run: SuiteRun, running: readonly Running[], missing: readonly Missing[]) {
  const seconds = run.seconds ?? 1.5;
  run.printProgress('append: warming up');
  for (const store of running) await store.measure({ callers: 64, seconds: 1 });
  const sections: Section[] = [];
  for (const callers of callerCounts) {
    run.printProgress(`append: ${callers} callers, ${run.rounds} rounds`);
    const variants = running.map((store) => ({
      name: store.name,
      measure: async () => {
        const { rate, p50, p99 } = await store.measure({ callers, seconds });
        return { 'events/s': rate, 'p50 ms': p50, 'p99 ms': p99 };
      },
    }));
    sections.push(sectionOf(callers, await interleave(variants, run.rounds, run.signal), missing));
  }
  return sections;
}

const sectionOf = (callers: number, rounds: Rounds, missing: readonly Missing[]): Section => ({
  title: `append: ${callers} ${callers === 1 ? 'caller' : 'callers'}, own streams of 10 events, fsync on`,
  figures: ['events/s', 'p50 ms', 'p99 ms'],
  baseline: plain,
  rounds,
  targets: targetsOf.get(callers) ?? [],
  missing,
});

/** By the number of callers. */
const targetsOf: ReadonlyMap<number, readonly Target[]> = new Map([
  [
    1,
    [
      { figure: 'events/s', of: ours, against: plain, atLeast: 0.6 },
      { figure: 'events/s', of: audited, against: plain, atLeast: 0.45 },
    ],
  ],
  [
    64,
    [
      { figure: 'events/s', of: ours, against: 'Emmett', atLeast: 12 },
      { figure: 'events/s', of: ours, against: plain, atLeast: 2 },
      { figure: 'p99 ms', of: ours, against: 'Emmett', atMost: 0.2 },
    ],
  ],
]);
