import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { filePipe, messagePipe } from './messages.js';
import type { Message } from './messages.js';
import { watchSuites } from './observe-uvu-suites.js';
import { restoreChanges, leftOpen, processState } from './process-state.js';

/** The entry that uvu queues at `.run()`. */
type Run = () => Promise<readonly [errors: string | true, passed: number, skipped: number, tests: number]>;

const runs: Run[] = [];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [runs] });
process.setSourceMapsEnabled(true);

// Kept from before a test can replace it.
const { stringify } = JSON;
const problems: string[] = [];
const journal = { started: (test: string) => send({ started: test }), failed };
// The suite that all files share is made when uvu is loaded.
const shared = watchSuites(journal);
await import('uvu');
shared.release();
// The runner has ended.
process.stdout.on('error', () => process.exit(1));
process.stderr.on('error', () => process.exit(1));
process.on('unhandledRejection', (reason) => failed('unhandled rejection', reason));
process.on('uncaughtException', (error) => failed('uncaught exception', error));

// Runs the exit handlers of a test, such as one that stops a server outside of this process group.
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
  const own = watchSuites(journal);
  await load(file).finally(own.release);
  const counted = await runTests();
  const leftovers = await countLeftovers(() => {
    shared.runLeftovers();
    own.runLeftovers();
  });
  if (leftovers > 0) failed(`tests without a .run() after them: ${leftovers}`);
  else if (counted.tests === 0) failed('has no test');
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

async function load(file: string): Promise<void> {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    failed('could not be loaded', error);
  }
}

async function runTests(): Promise<{ tests: number; passed: number }> {
  const sum = { tests: 0, passed: 0 };
  for (const run of runs.splice(0)) {
    const problemsBefore = problems.length;
    const [errors, passed, , tests] = await run();
    if (errors !== true) process.stdout.write(`\n${errors}\n`);
    else if (passed < tests && problems.length === problemsBefore) {
      failed('a test threw something that is not an Error, which ends its suite');
    }
    sum.tests += tests;
    sum.passed += passed;
  }
  return sum;
}

async function countLeftovers(runLeftovers: () => void): Promise<number> {
  const write: unknown = Reflect.get(process.stdout, 'write');
  process.stdout.write = () => true;
  runLeftovers();
  let sum = 0;
  for (const run of runs.splice(0)) sum += (await run())[3];
  Reflect.set(process.stdout, 'write', write);
  return sum;
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
    console.error(error);
  }
}

function send(message: Message): void {
  writeSync(messagePipe, `${stringify(message)}\n`);
}
