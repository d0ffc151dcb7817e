import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabases } from '../harness/databases.js';
import { type Child, runChild, startChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import { scaled, type SuiteRun } from '../harness/suite.js';
import type { Idle } from './idle.js';
import type { Offered } from './load.js';

type Server = Child<{ readonly port: number }>;

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const figures = ['good/s', 'late/s', 'shed/s', 'failed/s', 'p99 ms', 'shed p99 ms', 'sent late p99 ms'];
const twice = 'twice the capacity';
const fresh = 'twice, each on a new connection';
const long = 'twice, for more than a minute';

/** Twice as many requests as can be served: with a slow database, and with a busy processor. */
export const overload = (run: SuiteRun): Promise<readonly Section[]> =>
  withDatabases(1, async ([url = '']) => [
    await sectionOf('database', 'ten connections, 5 ms each', [url], run, 0.85),
    await sectionOf('processor', '1 ms of CPU each', [], run, 0.5),
    await idleSection(run),
  ]);

/** The cost of idle connections. */
async function idleSection(run: SuiteRun): Promise<Section> {
  const idleConnections = scaled(10_000, run);
  run.printProgress(`overload: ${idleConnections} idle connections`);
  const server: Server = await startChild(compiled('server.js'), ['nothing']);
  const clients = await startChild<Idle>(compiled('idle.js'), [
    String(server.output.port),
    String(idleConnections),
  ]);
  try {
    const found = { open: clients.output.open, 'RSS MB': await residentMb(server.pid) };
    return {
      title: 'overload: idle connections',
      figures: ['open', 'RSS MB'],
      baseline: 'idle',
      rounds: new Map([['idle', [found]]]),
      targets: [
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
  run.printProgress(`overload: ${about}, ${run.rounds} rounds`);
  const server: Server = await startChild(compiled('server.js'), [kind, ...args], { core: 0 });
  const seconds = run.seconds ?? 5;
  let capacity = 0;
  const offer = (manner: string) => () => measure(server, Math.round(capacity * 2), seconds, manner);
  const variants = [
    {
      name: 'capacity',
      measure: async () => {
        const found = await measure(server, 0, seconds, 'kept');
        capacity = found['good/s'] ?? 0;
        return found;
      },
    },
    { name: twice, measure: offer('kept') },
    { name: fresh, measure: offer('fresh') },
  ];
  try {
    const rounds = await interleave(variants, run.rounds, run.signal);
    const settleSeconds = scaled(60, run);
    run.printProgress(`overload: ${about}, for ${settleSeconds * 1.25} s`);
    const grown = await growth(server, Math.round(capacity * 2), settleSeconds);
    return {
      title: `overload: ${about}`,
      figures: [...figures, 'RSS MB', 'RSS growth'],
      baseline: 'capacity',
      rounds: new Map([...rounds, [long, [grown]]]),
      targets: [
        { figure: 'good/s', of: twice, against: 'capacity', atLeast: goodput },
        { figure: 'p99 ms', of: twice, atMost: 250 },
        { figure: 'RSS growth', of: long, atMost: 1.1 },
      ],
      missing: [],
    };
  } finally {
    await server.stop();
  }
}

async function measure(
  { output }: Server,
  perSecond: number,
  seconds: number,
  manner: string,
): Promise<Figures> {
  const args = [String(output.port), String(perSecond), String(seconds), manner];
  const offered = await runChild<Offered>(compiled('load.js'), args, { core: 1 });
  const per = (count: number): number => count / offered.seconds;
  return {
    'good/s': per(offered.good),
    'late/s': per(offered.late),
    'shed/s': per(offered.shed),
    'failed/s': per(offered.failed),
    'p99 ms': offered.p99,
    'shed p99 ms': offered.shedP99,
    'sent late p99 ms': offered.sentLateP99,
  };
}

/** Whether memory still grows after the first minute. */
async function growth(server: Server, perSecond: number, settleSeconds: number): Promise<Figures> {
  const running = measure(server, perSecond, settleSeconds * 1.25, 'kept');
  await delay(settleSeconds * 1_000);
  const settled = await residentMb(server.pid);
  const found = await running;
  const end = await residentMb(server.pid);
  return { ...found, 'RSS MB': end, 'RSS growth': end / settled };
}

/** NaN if the system does not report it. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_000;
}
