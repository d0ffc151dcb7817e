import { fileURLToPath } from 'node:url';
import type { Target } from '../harness/targets.js';
import { withDatabases } from '../harness/databases.js';
import { startWorker } from '../append/worker-process.js';
import { startChild } from '../harness/child.js';
import { measure, type OrderServer } from '../http/measure.js';
import { baseline, type Contender, installPeers, peer, startAll } from '../harness/peers.js';
import type { Section } from '../harness/report.js';
import { type Figures, interleave } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { growth } from './growth.js';

interface Subject extends Contender {
  /** A server that accepts orders. */
  readonly server?: { readonly script: string; readonly args: (url: string) => readonly string[] };
  /** Or the module of a store. */
  readonly module?: string;
}

interface Running {
  readonly name: string;
  measure(seconds: number): Promise<Figures>;
  stop(): Promise<void>;
}

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const ourHost = compiled('our-host.js');
const ourLog = compiled('our-audited-log.js');

const audited = 'ours, audited';
const unaudited = 'ours, audit off';
const appended = 'ours, audited append';
const routed = 'the same behind a plain route';
const bare = 'Emmett, append only';
const twice = 'Emmett, event and audit';

const subjects: readonly Subject[] = [
  { name: unaudited, server: { script: ourHost, args: (url) => [url, 'off'] } },
  { name: audited, server: { script: ourHost, args: (url) => [url, 'all'] } },
  { name: appended, module: ourLog },
  { name: routed, server: { script: baseline('fastify-audited.mjs'), args: (url) => [ourLog, url] } },
  { name: bare, module: peer('emmett.mjs'), isPeer: true },
  { name: twice, module: peer('emmett-audited.mjs'), isPeer: true },
];

const serverCore = 0;

/** A command with one event over HTTP and, with `--records`, appends at the end of a long system stream. */
export async function audit(run: SuiteRun): Promise<readonly Section[]> {
  const sections = await commands(run);
  return run.records === undefined ? sections : [...sections, ...(await growth(run, run.records))];
}

/** Synced to disk: with the audit of command and event, chained, and without. */
function commands(run: SuiteRun): Promise<readonly Section[]> {
  const seconds = run.seconds ?? 3;
  return withDatabases(subjects.length, async (urls) => {
    const running: Running[] = [];
    const start = (subject: Subject) => startOn(subject, urls[subjects.indexOf(subject)] ?? '');
    try {
      const missing = await startAll(subjects, start, running, { install: () => installPeers(run) });
      run.printProgress('audit: warming up');
      for (const subject of running) await subject.measure(1);
      run.printProgress(`audit: ${run.rounds} rounds`);
      const variants = running.map((subject) => ({
        name: subject.name,
        measure: () => subject.measure(seconds),
      }));
      const rounds = await interleave(variants, run.rounds, run.signal);
      return [
        {
          title,
          figures: ['commands/s', 'CPU µs', 'p50 ms', 'p99 ms'],
          baseline: unaudited,
          rounds,
          targets,
          missing,
        },
      ];
    } finally {
      await Promise.all(running.map((subject) => subject.stop()));
    }
  });
}

const title =
  'audit: POST /orders with one event, 64 in flight, fsync on; append-only variants run without HTTP';

const targets: readonly Target[] = [
  { figure: 'commands/s', of: audited, against: unaudited, atLeast: 0.45, aim: 0.6 },
  { figure: 'commands/s', of: audited, against: bare, atLeast: 2 },
  { figure: 'commands/s', of: audited, against: twice, atLeast: 40 },
  { figure: 'commands/s', of: appended, against: twice, atLeast: 40 },
];

async function startOn({ name, server, module = '' }: Subject, url: string): Promise<Running> {
  if (server !== undefined) return { name, ...(await startServer(server, url)) };
  const worker = await startWorker(module, url);
  return {
    name,
    measure: async (seconds) => {
      const { rate, p50, p99 } = await worker.measure({ callers: 64, seconds });
      return { 'commands/s': rate, 'CPU µs': Number.NaN, 'p50 ms': p50, 'p99 ms': p99 };
    },
    stop: () => worker.close(),
  };
}

async function startServer(
  { script, args }: NonNullable<Subject['server']>,
  url: string,
): Promise<Omit<Running, 'name'>> {
  const host: OrderServer = await startChild(script, args(url), { core: serverCore });
  return {
    measure: (seconds) => measure(host, seconds, { rate: 'commands/s' }),
    stop: () => host.stop(),
  };
}
