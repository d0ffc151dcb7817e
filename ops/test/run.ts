import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { longestFirst, readDurations, rememberDurations } from './durations.js';
import { isLive, timeoutFor } from './find-test-files.js';
import { neededBy, readImports } from './imports.js';
import { showProgress } from './progress.js';
import { isGreen, summaryLines } from './report.js';
import type { FileResult } from './report.js';
import { lanesFor, runFiles } from './run-files.js';
import { makeRunFolder } from './run-folder.js';
import type { Running } from './run-files.js';
import {
  none,
  prepareProcesses,
  type Servers,
  startAll,
  startBrowser,
  startNats,
  startPostgres,
  startRabbitMq,
} from './servers.js';
import { startWorker } from './worker.js';

/** Where the build puts everything. */
export const built = fileURLToPath(new URL('../../', import.meta.url));
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const memory = join(repository, 'node_modules/.cache/svc/durations.json');

interface RunOptions {
  readonly signal: AbortSignal;
  /** Processes load the modules of the build one by one, as they do outside of tests. */
  readonly asBuilt?: boolean;
}

/** Runs test files below a root; returns whether all passed. */
export async function runTests(
  root: string,
  files: readonly string[],
  { signal, asBuilt = false }: RunOptions,
): Promise<boolean> {
  setMaxListeners(0, signal);
  const results: FileResult[] = [];
  const progress = showProgress(process.stdout, files.length);
  const durations = await readDurations(memory);
  const ordered = await longestFirst(root, files, durations);
  const folder = await makeRunFolder();
  try {
    await runInOrder(root, ordered, {
      signal,
      // Coverage is counted for the files of the build.
      asBuilt: asBuilt || process.env['NODE_V8_COVERAGE'] !== undefined,
      start: (env) =>
        startWorker({
          root,
          env: { ...withoutCertificates(process.env), ...folder.env, ...env },
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
  print(summaryLines(results));
  // Only the order of the next run depends on them.
  if (root === built) await rememberDurations(memory, durations, results).catch(() => undefined);
  return isGreen(results) && !signal.aborted;
}

/** Node reads them at every start, which takes longer than the rest of it; tests use servers of their own, except npm. */
function withoutCertificates({
  NODE_EXTRA_CA_CERTS: certificates,
  ...env
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return certificates === undefined ? env : { ...env, SVC_TEST_CA_CERTS: certificates };
}

async function runInOrder(
  root: string,
  files: readonly string[],
  running: Running & { readonly asBuilt: boolean },
): Promise<void> {
  const live = files.filter(isLive);
  const unit = files.filter((file) => !isLive(file));
  const shared = startShared(root, live, running.asBuilt);
  const startServers = async (): Promise<Servers> => {
    const given = await shared;
    const postgres = await startPostgres(running.signal);
    return { env: { ...given.env, ...postgres.env }, stop: () => postgres.stop() };
  };
  try {
    await runFiles({ live, unit }, lanesFor(availableParallelism(), process.env), startServers, running);
  } finally {
    // A lane has reported it if they did not start.
    await shared.then(
      (servers) => servers.stop(),
      () => undefined,
    );
  }
}

/** Starts what all lanes share, if a live file needs it. */
async function startShared(root: string, live: readonly string[], asBuilt: boolean): Promise<Servers> {
  if (live.length === 0) return none;
  const imports = await readImports(root);
  const isNeeded = (file: string): boolean => live.some((test) => neededBy(test, imports).has(file));
  return startAll([
    ...(isNeeded('endpoints/testing/open-browser.js') ? [startBrowser()] : []),
    ...(isNeeded('runtime/testing/shared-nats.js') ? [startNats()] : []),
    ...(isNeeded('runtime/testing/shared-rabbitmq.js') ? [startRabbitMq()] : []),
    ...(!asBuilt && isNeeded('runtime/testing/process-root.js') ? [prepareProcesses(repository)] : []),
  ]);
}

export function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
