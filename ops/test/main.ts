import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { TestPostgres } from '../../runtime/testing/postgres-server.js';
import { longestFirst, readDurations, rememberDurations } from './durations.js';
import { findTestFiles, isLive, isTimed, timeoutFor } from './find.js';
import { showProgress } from './progress.js';
import { isGreen, summaryLines } from './report.js';
import type { FileResult } from './report.js';
import { liveLanes, runLiveFiles, runUnitFiles } from './run-files.js';
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
  const side = ordered.filter((file) => isLive(file) && !isTimed(file));
  await runUnitFiles(
    ordered.filter((file) => !isLive(file)),
    Math.max(2, availableParallelism()),
    running,
  );
  await runLiveFiles(side, liveLanes(process.env), startPostgres, running);
  await runLiveFiles(ordered.filter(isTimed), 1, startPostgres, running);

  progress.end();
  print(summaryLines(results));
  if (values.root === built) await rememberDurations(memory, durations, results);
  return isGreen(results) && !interrupt.signal.aborted;
}

/** Loaded when it is needed: a unit file alone should start at once. */
async function startPostgres(): Promise<TestPostgres> {
  const { startTestPostgres } = await import('../../runtime/testing/postgres-server.js');
  return startTestPostgres();
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
