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

/** One after another, because they share one PostgreSQL; it is started only if there is a live file. */
export async function runLiveFiles(
  files: readonly string[],
  startPostgres: () => Promise<TestPostgres>,
  running: Running,
): Promise<void> {
  if (files.length === 0 || running.signal.aborted) return;
  const postgres = await told(startPostgres, 'did not start', running);
  if (!postgres) return;
  try {
    await runInTurn(files, { SVC_TEST_DATABASE_URL: postgres.url }, running);
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
