import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabases } from '../append/databases.js';
import { type Child, runChild, startChild } from '../child.js';
import type { Section } from '../report.js';
import { type Figures, interleave } from '../rounds.js';
import type { SuiteRun } from '../suite.js';
import type { Idle } from './idle.js';
import type { Offered } from './load.js';

type Server = Child<{ readonly port: number }>;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const figures = ['good/s', 'late/s', 'shed/s', 'failed/s', 'p99 ms', 'shed p99 ms', 'RSS MB', 'RSS growth'];

/** Twice as many requests as can be served: with a slow database, and with a busy processor. */
export const overload = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => [
    await sectionOf('database', 'ten connections, 5 ms each', [url], run, 0.85),
    await sectionOf('processor', '1 ms of CPU each', [], run, 0.5),
    await idleSection(run),
  ]);

const idleConnections = 10_000;

/** What connections cost that say nothing. */
async function idleSection(run: SuiteRun): Promise<Section> {
  run.tell(`overload: ${idleConnections} idle connections`);
  const server: Server = await startChild(compiled('server.js'), ['nothing']);
  const clients = await startChild<Idle>(compiled('idle.js'), [
    String(server.told.port),
    String(idleConnections),
  ]);
  try {
    const found = { open: clients.told.open, 'RSS MB': await residentMb(server.pid) };
    return {
      title: 'overload: idle connections',
      figures: ['open', 'RSS MB'],
      baseline: 'idle',
      rounds: new Map([['idle', [found]]]),
      bars: [
        { figure: 'open', of: 'idle', atLeast: idleConnections },
        { figure: 'RSS MB', of: 'idle', atMost: 200 },
      ],
      missing: [],
    };
  } finally {
    await clients.stop();
    await server.stop();
  }
}

async function sectionOf(
  kind: string,
  about: string,
  args: readonly string[],
  run: SuiteRun,
  goodput: number,
): Promise<Section> {
  run.tell(`overload: ${about}, ${run.rounds} rounds`);
  const server: Server = await startChild(compiled('server.js'), [kind, ...args], { core: 0 });
  const seconds = run.seconds ?? 5;
  let capacity = 0;
  const variants = [
    {
      name: 'capacity',
      measure: async () => {
        const found = await measure(server, 0, seconds);
        capacity = found['good/s'] ?? 0;
        return found;
      },
    },
    { name: 'twice the capacity', measure: () => measure(server, Math.round(capacity * 2), seconds) },
  ];
  try {
    return {
      title: `overload: ${about}`,
      figures,
      baseline: 'capacity',
      rounds: await interleave(variants, run.rounds, run.signal),
      bars: [
        { figure: 'good/s', of: 'twice the capacity', against: 'capacity', atLeast: goodput },
        { figure: 'p99 ms', of: 'twice the capacity', atMost: 250 },
        { figure: 'RSS growth', of: 'twice the capacity', atMost: 1.1 },
      ],
      missing: [],
    };
  } finally {
    await server.stop();
  }
}

async function measure({ pid, told }: Server, perSecond: number, seconds: number): Promise<Figures> {
  const args = [String(told.port), String(perSecond), String(seconds)];
  const running = runChild<Offered>(compiled('load.js'), args, { core: 1 });
  // The first second warms up, the first half settles.
  await delay(1_000 + (seconds * 1_000) / 2);
  const half = await residentMb(pid);
  const offered = await running;
  const end = await residentMb(pid);
  const per = (count: number): number => count / offered.seconds;
  return {
    'good/s': per(offered.good),
    'late/s': per(offered.late),
    'shed/s': per(offered.shed),
    'failed/s': per(offered.failed),
    'p99 ms': offered.p99,
    'shed p99 ms': offered.shedP99,
    'RSS MB': end,
    'RSS growth': end / half,
  };
}

/** NaN where the system does not tell. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_000;
}
