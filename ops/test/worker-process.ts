import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { type Result, runSuite, takeSuites } from '../../contracts/testing/suite.js';
import { failureText } from './failure-text.js';
import { filePipe, messagePipe } from './messages.js';
import type { Message, Report } from './messages.js';
import { restoreChanges, leftOpen, processState } from './process-state.js';
import { runNodeTests, usesNodeTest } from './run-node-tests.js';
import { withSourcePlaces } from './source-places.js';

// Saved before a test can replace it.
const { stringify } = JSON;
const problems: string[] = [];
const started = (test: string): void => send({ started: test });
// The runner has ended.
process.stdout.on('error', () => process.exit(1));
process.stderr.on('error', () => process.exit(1));
process.on('unhandledRejection', (reason) => failed('unhandled rejection', reason));
process.on('uncaughtException', (error) => failed('uncaught exception', error));

// Runs the exit handlers of a test, such as one that stops a server outside this process group.
process.on('SIGTERM', () => process.exit(128 + 15));

const files = new Socket({ fd: filePipe });
const lines = createInterface(files).on('close', end);
for (;;) {
  files.ref();
  const [line] = (await once(lines, 'line')) as [string];
  // A test that awaits something that can never happen ends the process.
  files.unref();
  await runFile(JSON.parse(line) as string);
}

async function runFile(file: string): Promise<void> {
  const before = processState();
  const counted = (await usesNodeTest(file)) ? await runNodeTests(file, started) : await runSuites(file);
  problems.push(...counted.problems);
  if (counted.tests === 0 && problems.length === 0) failed('has no test');
  await settled();
  problems.push(...restoreChanges(before));
  const left = leftOpen(before);
  // A failure from now on belongs to the next file, or to the end of the run.
  send({ finished: { ...counted, problems: problems.splice(0), left } });
  if (left.length > 0) process.stdout.write('', () => process.exit(0));
}

function end(): void {
  if (problems.length > 0) send({ finished: { tests: 0, passed: 0, problems, left: [] } });
  process.exit(0);
}

async function runSuites(file: string): Promise<Report> {
  await import(pathToFileURL(file).href).catch((error: unknown) => failed('could not be loaded', error));
  const results: Result[] = [];
  for (const suite of takeSuites()) results.push(...(await runSuite(suite, started)));
  for (const { name } of takeSuites()) failed(`the suite "${name}" was made too late to be run`);
  const red = results.filter(({ failures }) => failures.length > 0);
  for (const result of red) process.stdout.write(`${failureText(result)}\n`);
  return { tests: results.length, passed: results.length - red.length, problems: [], left: [] };
}

/** Waits until nothing more can happen, but only for a moment if something is still open. */
async function settled(): Promise<void> {
  const over = new AbortController();
  const waiting = { signal: over.signal };
  const quiet = once(process, 'beforeExit', waiting).catch(() => undefined);
  await Promise.race([quiet, delay(200, undefined, { ref: false })]);
  over.abort();
}

function failed(what: string, error?: unknown): void {
  if (error === undefined) {
    problems.push(what);
  } else {
    problems.push(`${what}: ${error instanceof Error ? error.message : inspect(error)}`);
    console.error(withSourcePlaces(inspect(error)));
  }
}

function send(message: Message): void {
  writeSync(messagePipe, `${stringify(message)}\n`);
}
