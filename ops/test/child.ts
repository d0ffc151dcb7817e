import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { messagePipe } from './messages.js';
import type { Message } from './messages.js';
import { watchSuites } from './suites.js';

/** What uvu queues at `.run()`. */
type Run = () => Promise<readonly [errors: string | true, passed: number, skipped: number, tests: number]>;

const runs: Run[] = [];
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: [runs] });
process.setSourceMapsEnabled(true);

const problems: string[] = [];
const suites = watchSuites({ started: (test) => tell({ started: test }), failed });
// Nobody listens any more: the runner is gone.
process.stdout.on('error', () => process.exit(1));
process.stderr.on('error', () => process.exit(1));
process.on('unhandledRejection', (reason) => failed('unhandled rejection', reason));
process.on('uncaughtException', (error) => failed('uncaught exception', error));

await load(process.argv[2] ?? '');
const counted = await runTests();
const leftovers = await countLeftovers();
if (leftovers > 0) failed(`tests without a .run() after them: ${leftovers}`);
else if (counted.tests === 0) failed('has no test');
await settled();
tell({ finished: { ...counted, problems } });
process.stdout.write('', () => process.exit(0));

async function load(file: string): Promise<void> {
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    failed('could not be loaded', error);
  } finally {
    suites.release();
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

async function countLeftovers(): Promise<number> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  suites.runLeftovers();
  let sum = 0;
  for (const run of runs.splice(0)) sum += (await run())[3];
  process.stdout.write = write;
  return sum;
}

/** Waits until nothing more can happen, but only for a moment if something is still open. */
async function settled(): Promise<void> {
  await Promise.race([once(process, 'beforeExit'), delay(50, undefined, { ref: false })]);
}

function failed(what: string, error?: unknown): void {
  if (error === undefined) {
    problems.push(what);
  } else {
    problems.push(`${what}: ${error instanceof Error ? error.message : inspect(error)}`);
    console.error(error);
  }
}

function tell(message: Message): void {
  writeSync(messagePipe, `${JSON.stringify(message)}\n`);
}
