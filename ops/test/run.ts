import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { longestFirst, readDurations, rememberDurations } from './durations.js';
import { isLive, timeoutFor } from './find-test-files.js';
import { neededBy, readImports } from './imports.js';
import { showProgress } from './progress.js';
import { isGreen, summaryLines } from './report.js';
import type { FileResult } from './report.js';
import { lanesFor, runFiles } from './run-files.js';
import type { Running } from './run-files.js';
import { type Servers, startBrowser, startPostgres } from './servers.js';
import { startWorker } from './worker.js';

/** Where the build puts everything. */
export const built = fileURLToPath(new URL('../../', import.meta.url));
const memory = fileURLToPath(new URL('../../../node_modules/.cache/svc/durations.json', import.meta.url));

/** Runs test files below a root, and says whether all is well. */
export async function runTests(
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  setMaxListeners(0, signal);
  const results: FileResult[] = [];
  const progress = showProgress(process.stdout, files.length);
  const durations = await readDurations(memory);
  const ordered = await longestFirst(root, files, durations);
  await runInOrder(root, ordered, {
    signal,
    start: (env) =>
      startWorker({
        root,
        env: { ...process.env, ...env },
        timeoutFor: (file) => timeoutFor(file, process.env['SVC_TEST_TIMEOUT_MS']),
        signal,
      }),
    report: (result) => {
      results.push(result);
      progress.finished(result);
    },
  });
  progress.end();
  print(summaryLines(results));
  // Only the order of the next run depends on them.
  if (root === built) await rememberDurations(memory, durations, results).catch(() => undefined);
  return isGreen(results) && !signal.aborted;
}

async function runInOrder(root: string, files: readonly string[], running: Running): Promise<void> {
  const live = files.filter(isLive);
  const unit = files.filter((file) => !isLive(file));
  const browser = (await needsBrowser(root, live)) ? startBrowser() : undefined;
  const startServers = async (): Promise<Servers> => {
    const [shared, postgres] = await Promise.all([browser, startPostgres()]);
    return { env: { ...shared?.env, ...postgres.env }, stop: () => postgres.stop() };
  };
  try {
    await runFiles({ live, unit }, lanesFor(availableParallelism(), process.env), startServers, running);
  } finally {
    await (await browser)?.stop();
  }
}

async function needsBrowser(root: string, live: readonly string[]): Promise<boolean> {
  if (live.length === 0) return false;
  const imports = await readImports(root);
  return live.some((file) => neededBy(file, imports).has('ops/testing/browser.js'));
}

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
