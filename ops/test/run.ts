import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Durations, longestFirst, readDurations, rememberDurations } from './durations.js';
import { isLive, timeoutFor } from './find-test-files.js';
import { type Imports, neededBy, readImports } from './imports.js';
import { showProgress } from './progress.js';
import { type FileResult, isGreen, summaryLines } from './report.js';
import { built, pathOf, repository, type Root } from './roots.js';
import { lanesFor, runFiles } from './run-files.js';
import { makeRunFolder } from './run-folder.js';
import type { Running } from './run-files.js';
import {
  none,
  type Servers,
  startAll,
  startBrowser,
  startNats,
  startPostgres,
  startRabbitMq,
} from './servers.js';
import { startWorker } from './worker.js';

const memory = join(repository, 'node_modules/.cache/svc/durations.json');

interface RunOptions {
  readonly signal: AbortSignal;
  /** Already known, or read when a live file needs them. */
  readonly imports?: Imports;
  /** For the tests. */
  readonly env?: NodeJS.ProcessEnv;
  /** Printed before the closing line. */
  readonly notes?: readonly string[];
  /** Whether a slow file fails the run. */
  readonly slowFails?: boolean;
}

export const knownDurations = (): Promise<Durations> => readDurations(memory);

/** Runs test files; returns whether all passed. */
export async function runTests(
  roots: readonly Root[],
  files: readonly string[],
  { signal, imports, env, notes, slowFails = false }: RunOptions,
): Promise<boolean> {
  setMaxListeners(0, signal);
  const results: FileResult[] = [];
  const progress = showProgress(process.stdout, files.length);
  const durations = await knownDurations();
  const ordered = await longestFirst(roots, files, durations);
  const folder = await makeRunFolder();
  try {
    await runInOrder(roots, ordered, imports, {
      signal,
      start: (servers) =>
        startWorker({
          pathOf: (file) => pathOf(roots, file),
          env: { ...withoutCertificates(process.env), ...env, ...folder.env, ...servers },
          timeoutFor: (file) => timeoutFor(file, process.env['SVC_TEST_TIMEOUT_MS']),
          signal,
        }),
      report: (result) => {
        results.push(result);
        progress.finished(result);
      },
    });
  } finally {
    await folder.remove();
  }
  progress.end();
  print(summaryLines(results, notes));
  // Only the order of the next run depends on them.
  if (roots[0]?.folder === built) await rememberDurations(memory, durations, results).catch(() => undefined);
  return isGreen(results, slowFails) && !signal.aborted;
}

/** Node reads them at every start, and that takes longer than all else; only npm talks to servers that are not ours. */
function withoutCertificates({
  NODE_EXTRA_CA_CERTS: certificates,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return certificates === undefined ? env : { ...env, SVC_TEST_CA_CERTS: certificates };
}

async function runInOrder(
  roots: readonly Root[],
  files: readonly string[],
  imports: Imports | undefined,
  running: Running,
): Promise<void> {
  const live = files.filter(isLive);
  const unit = files.filter((file) => !isLive(file));
  const shared = startShared(live, async () => imports ?? readImports(roots));
  const startServers = async (): Promise<Servers> => {
    const given = await shared;
    const postgres = await startPostgres(running.signal);
    return { env: { ...given.env, ...postgres.env }, stop: () => postgres.stop() };
  };
  try {
    await runFiles({ live, unit }, lanesFor(availableParallelism(), process.env), startServers, running);
  } finally {
    // If they did not start, a lane has reported it.
    await shared.then(
      (servers) => servers.stop(),
      () => undefined,
    );
  }
}

/** Starts what all lanes share, if a live file needs it. */
async function startShared(live: readonly string[], read: () => Promise<Imports>): Promise<Servers> {
  if (live.length === 0) return none;
  const imports = await read();
  const isNeeded = (file: string): boolean => live.some((test) => neededBy(test, imports).has(file));
  return startAll([
    ...(isNeeded('endpoints/testing/open-browser.js') ? [startBrowser()] : []),
    ...(isNeeded('runtime/testing/shared-nats.js') ? [startNats()] : []),
    ...(isNeeded('runtime/testing/shared-rabbitmq.js') ? [startRabbitMq()] : []),
  ]);
}

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
