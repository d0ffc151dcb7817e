import { failedResult } from './report.js';
import type { FileResult } from './report.js';
import type { Servers } from './servers.js';
import { WaitingFiles } from './waiting-files.js';
import type { Worker } from './worker.js';

export interface Running {
  readonly start: (env: NodeJS.ProcessEnv) => Worker;
  readonly report: (result: FileResult) => void;
  readonly signal: AbortSignal;
}

type Kind = 'live' | 'unit';

/** The kinds of files that a lane runs: all of one, then all of the other. */
export type Lane = readonly Kind[];

/** Live files mostly wait and unit files mostly compute, so both run at the same time. */
export function lanesFor(cores: number, env: NodeJS.ProcessEnv): Lane[] {
  const lanes = (length: number, lane: Lane): Lane[] => Array.from({ length }, () => lane);
  // A server that was given is used by one file at a time.
  if (env['TEST_DATABASE_URL'] || env['NATS_URL']) {
    return [['live', 'unit'], ...lanes(Math.max(1, cores - 1), ['unit'])];
  }
  return [
    ...lanes(Math.min(6, 2 * cores), ['live', 'unit']),
    ...lanes(Math.max(1, cores - 1), ['unit', 'live']),
  ];
}

/**
 * Each lane has a PostgreSQL of its own: roles, sessions and connections are shared by a whole server, and tests create
 * roles and terminate sessions by name. Another server, on a copy of one cluster, takes half a second of CPU to start,
 * 20 MB, and no CPU while it waits.
 */
export async function runFiles(
  files: Readonly<Record<Kind, readonly string[]>>,
  lanes: readonly Lane[],
  startPostgres: () => Promise<Servers>,
  running: Running,
): Promise<void> {
  const live = files.live.values();
  const unit = new WaitingFiles(files.unit);
  const run = async (lane: Lane): Promise<void> => {
    for (const kind of lane) {
      if (kind === 'live') await runLive(live, startPostgres, running);
      else await runOneByOne(takenFrom(unit), {}, running);
    }
  };
  const ends = await Promise.allSettled(lanes.map(run));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runLive(
  waiting: Iterator<string> & Iterable<string>,
  startPostgres: () => Promise<Servers>,
  running: Running,
): Promise<void> {
  if (running.signal.aborted) return;
  const first = waiting.next();
  if (first.done === true) return;
  const postgres = await reported(startPostgres, 'did not start', running);
  if (!postgres) return;
  try {
    await runOneByOne(startingWith(first.value, waiting), postgres.env, running);
  } finally {
    await reported(() => postgres.stop(), 'did not stop', running);
  }
}

function* takenFrom(waiting: WaitingFiles): Generator<string> {
  for (let file = waiting.take(); file !== undefined; file = waiting.take(file)) yield file;
}

function* startingWith<T>(first: T, rest: Iterable<T>): Generator<T> {
  yield first;
  yield* rest;
}

/** Runs files in one worker, and in a new one when that can take no more. */
async function runOneByOne(
  files: Iterable<string>,
  env: NodeJS.ProcessEnv,
  { start, report, signal }: Running,
): Promise<void> {
  let worker: Worker | undefined;
  let last = '';
  try {
    for (const file of files) {
      if (signal.aborted) return;
      worker ??= start(env);
      report(await worker.run(file));
      last = file;
      if (worker.isSpent()) worker = undefined;
    }
  } finally {
    const badEnd = await worker?.end();
    if (badEnd !== undefined) report(failedResult(last, `${badEnd} after its tests had finished`));
  }
}

async function reported<T>(
  act: () => Promise<T>,
  otherwise: string,
  { report }: Running,
): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    report(failedResult('PostgreSQL for the live files', `${otherwise}: ${String(error)}`));
    return undefined;
  }
}
