import { trouble } from './report.js';
import type { FileResult } from './report.js';
import type { Servers } from './servers.js';
import type { Worker } from './worker.js';

export interface Running {
  readonly start: (env: NodeJS.ProcessEnv) => Worker;
  readonly report: (result: FileResult) => void;
  readonly signal: AbortSignal;
}

export async function runUnitFiles(
  files: readonly string[],
  atOnce: number,
  running: Running,
): Promise<void> {
  const waiting = files.values();
  const length = Math.min(atOnce, files.length);
  await Promise.all(Array.from({ length }, () => runInTurn(waiting, {}, running)));
}

/** A server that was given is used by one file at a time. */
export function liveLanes(env: NodeJS.ProcessEnv): number {
  return env['TEST_DATABASE_URL'] || env['NATS_URL'] ? 1 : 3;
}

/** Live files run side by side too, but each lane has a PostgreSQL of its own: roles, sessions and connections are shared by a whole server. */
export async function runLiveFiles(
  files: readonly string[],
  lanes: number,
  startPostgres: () => Promise<Servers>,
  running: Running,
): Promise<void> {
  const waiting = files.values();
  const length = Math.min(lanes, files.length);
  const ends = await Promise.allSettled(
    Array.from({ length }, () => runLane(waiting, startPostgres, running)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runLane(
  waiting: Iterable<string>,
  startPostgres: () => Promise<Servers>,
  running: Running,
): Promise<void> {
  if (running.signal.aborted) return;
  const postgres = await reported(startPostgres, 'did not start', running);
  if (!postgres) return;
  try {
    await runInTurn(waiting, postgres.env, running);
  } finally {
    await reported(() => postgres.stop(), 'did not stop', running);
  }
}

/** In one worker, and when that is spent in a new one. */
async function runInTurn(
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
    if (badEnd !== undefined) report(trouble(last, `${badEnd} after its tests had finished`));
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
    report(trouble('PostgreSQL for the live files', `${otherwise}: ${String(error)}`));
    return undefined;
  }
}
