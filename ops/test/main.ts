import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { longestFirst, readDurations, rememberDurations } from './durations.js';
import { findTestFiles, isLive, isTimed, timeoutFor } from './find.js';
import { neededBy, readImports } from './imports.js';
import { showProgress } from './progress.js';
import { isGreen, summaryLines } from './report.js';
import type { FileResult } from './report.js';
import { liveLanes, runLiveFiles, runUnitFiles } from './run-files.js';
import { startBrowser, startPostgres } from './servers.js';
import { startWorker } from './worker.js';

const built = fileURLToPath(new URL('../../', import.meta.url));
const memory = fileURLToPath(new URL('../../../node_modules/.cache/svc/durations.json', import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    root: { type: 'string', default: built },
  },
});

const files = await findTestFiles(values.root, positionals);
if (values.list) print(files);
else process.exitCode = (await runAll()) ? 0 : 1;

async function runAll(): Promise<boolean> {
  const interrupt = new AbortController();
  setMaxListeners(0, interrupt.signal);
  process.once('SIGINT', () => interrupt.abort());
  process.once('SIGTERM', () => interrupt.abort());
  // Nobody reads on: end in order, or PostgreSQL would be left behind.
  process.stdout.on('error', () => interrupt.abort());

  const results: FileResult[] = [];
  const progress = showProgress(process.stdout, files.length);
  const running = {
    signal: interrupt.signal,
    start: (env: NodeJS.ProcessEnv) =>
      startWorker({
        root: values.root,
        env: { ...process.env, ...env },
        timeoutFor: (file) => timeoutFor(file, process.env['SVC_TEST_TIMEOUT_MS']),
        signal: interrupt.signal,
      }),
    report: (result: FileResult) => {
      results.push(result);
      progress.finished(result);
    },
  };

  const durations = await readDurations(memory);
  const ordered = await longestFirst(values.root, files, durations);
  const live = ordered.filter(isLive);
  const browser = (await needsBrowser(live)) ? startBrowser() : undefined;
  try {
    await runUnitFiles(
      ordered.filter((file) => !isLive(file)),
      Math.max(2, availableParallelism()),
      running,
    );
    const shared = (await browser)?.env;
    const withBrowser = {
      ...running,
      start: (env: NodeJS.ProcessEnv) => running.start({ ...shared, ...env }),
    };
    const side = live.filter((file) => !isTimed(file));
    await runLiveFiles(side, liveLanes(process.env), startPostgres, withBrowser);
    await runLiveFiles(live.filter(isTimed), 1, startPostgres, withBrowser);
  } finally {
    await (await browser)?.stop();
  }

  progress.end();
  print(summaryLines(results));
  if (values.root === built) await rememberDurations(memory, durations, results);
  return isGreen(results) && !interrupt.signal.aborted;
}

async function needsBrowser(live: readonly string[]): Promise<boolean> {
  if (live.length === 0) return false;
  const imports = await readImports(values.root);
  return live.some((file) => neededBy(file, imports).has('ops/testing/browser.js'));
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
