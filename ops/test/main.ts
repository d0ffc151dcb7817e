import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../../runtime/testing/postgres-server.js';
import { findTestFiles, isLive, isTimed } from './find.js';
import { fileLines, isGreen, isRed, summaryLines } from './report.js';
import type { FileResult } from './report.js';
import { runFile, timeoutFor } from './run-file.js';
import { liveLanes, runLiveFiles, runUnitFiles } from './run-files.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'boolean', default: false },
    root: { type: 'string', default: fileURLToPath(new URL('../../', import.meta.url)) },
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

  const results = new Map<string, FileResult>();
  const running = {
    signal: interrupt.signal,
    run: (file: string, env: NodeJS.ProcessEnv) =>
      runFile(file, {
        root: values.root,
        env: { ...process.env, ...env },
        timeoutMs: timeoutFor(file, process.env['SVC_TEST_TIMEOUT_MS']),
        signal: interrupt.signal,
      }),
    tell: (result: FileResult) => {
      results.set(result.file, result);
      print(fileLines(result));
    },
  };

  const unitFiles = files.filter((file) => !isLive(file));
  const liveFiles = files.filter((file) => isLive(file) && !isTimed(file));
  await runUnitFiles(unitFiles, Math.max(2, availableParallelism()), running);
  await runLiveFiles(liveFiles, liveLanes(process.env), startTestPostgres, running);
  await runLiveFiles(files.filter(isTimed), 1, startTestPostgres, running);

  // What runs beside a live file can disturb it: what counts is how it does alone.
  const disturbed = files.filter((file) => isLive(file) && isRed(results.get(file)));
  await runLiveFiles(disturbed, 1, startTestPostgres, running);

  const last = [...results.values()];
  print(summaryLines(last, disturbed));
  return isGreen(last) && !interrupt.signal.aborted;
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
