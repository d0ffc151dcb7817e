import type { TestPostgres } from '../../runtime/testing/postgres-server.js';
import { trouble } from './report.js';
import type { FileResult } from './report.js';

export interface Running {
  readonly run: (file: string, env: NodeJS.ProcessEnv) => Promise<FileResult>;
  readonly tell: (result: FileResult) => void;
  readonly signal: AbortSignal;
}

export async function runUnitFiles(
  files: readonly string[],
  atOnce: number,
  running: Running,
): Promise<void> {
  const waiting = files.values();
  await Promise.all(Array.from({ length: atOnce }, () => runInTurn(waiting, {}, running)));
}

/** A server that was given is used by one file at a time. */
export function liveLanes(env: NodeJS.ProcessEnv): number {
  return env['TEST_DATABASE_URL'] || env['NATS_URL'] ? 1 : 2;
}

/** Live files run side by side too, but each lane has a PostgreSQL of its own: roles, sessions and connections are shared by a whole server. */
export async function runLiveFiles(
  files: readonly string[],
  lanes: number,
  startPostgres: () => Promise<TestPostgres>,
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
  startPostgres: () => Promise<TestPostgres>,
  running: Running,
): Promise<void> {
  if (running.signal.aborted) return;
  const postgres = await told(startPostgres, 'did not start', running);
  if (!postgres) return;
  try {
    await runInTurn(waiting, { SVC_TEST_DATABASE_URL: postgres.url }, running);
  } finally {
    await told(() => postgres.stop(), 'did not stop', running);
  }
}

async function runInTurn(
  files: Iterable<string>,
  env: NodeJS.ProcessEnv,
  { run, tell, signal }: Running,
): Promise<void> {
  for (const file of files) {
    if (signal.aborted) return;
    tell(await run(file, env));
  }
}

async function told<T>(act: () => Promise<T>, otherwise: string, { tell }: Running): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    tell(trouble('PostgreSQL for the live files', `${otherwise}: ${String(error)}`));
    return undefined;
  }
}
