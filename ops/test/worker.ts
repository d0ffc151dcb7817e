import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filePipe, messagePipe } from './messages.js';
import type { Message, Report } from './messages.js';
import { killGroup, leadsGroup } from './process-group.js';
import type { FileResult } from './report.js';

/** A process that runs one test file after another. */
export interface Worker {
  run(file: string): Promise<FileResult>;
  /** Whether it has ended, or a file has left something behind: it takes no more files. */
  isSpent(): boolean;
  /** Ends it with all its processes; returns how it ended if that was not clean. */
  end(): Promise<string | undefined>;
}

interface WorkerOptions {
  readonly pathOf: (file: string) => string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutFor: (file: string) => number;
  readonly signal: AbortSignal;
}

/** How a worker ended, as text; clean means that it ended by itself. */
interface End {
  readonly clean: boolean;
  readonly how: string;
}

/** The output of a worker since it took its file. */
interface WorkerOutput {
  output: string;
  started?: string | undefined;
  report?: Report | undefined;
}

const childScript = fileURLToPath(new URL('worker-process.js', import.meta.url));
const keptOutput = 2 ** 20;
const graceMs = 3_000;
/** Coverage is written at the end, which takes a while. */
const endsWithinMs = 60_000;
const unsettledAwait = 13;

export function startWorker({ pathOf, env, timeoutFor, signal }: WorkerOptions): Worker {
  const child = spawn(process.execPath, [...process.execArgv, childScript], {
    detached: leadsGroup,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const received: WorkerOutput = { output: '' };
  const reports = listen(child, received);
  const exit = exitOf(child);
  const closed = once(child, 'close').catch(() => {});
  const files = child.stdio[filePipe] as Writable;
  files.on('error', () => undefined);
  let spent = false;
  return {
    isSpent: () => spent,
    run: async (file) => {
      const startedAt = performance.now();
      Object.assign(received, { output: '', started: undefined, report: undefined });
      const reported = reports();
      files.write(`${JSON.stringify(pathOf(file))}\n`);
      const bounds = { timeoutMs: timeoutFor(file), signal };
      let end = await bounded(Promise.race([exit, reported]), bounds);
      if (end === undefined && received.report?.left.length) end = await bounded(exit, bounds);
      if (end === undefined) await outputRead();
      else {
        spent = true;
        await killed(child, closed);
      }
      const { tests, passed, left } = received.report ?? { tests: 0, passed: 0, left: [] };
      const ms = performance.now() - startedAt;
      return { file, tests, passed, problems: problemsOf(received, end), left, output: received.output, ms };
    },
    end: async () => {
      if (spent) return undefined;
      spent = true;
      received.report = undefined;
      files.end();
      const end = await bounded(exit, { timeoutMs: endsWithinMs, signal });
      await killed(child, closed);
      return lastProblems(received) ?? (end === undefined || end.clean ? undefined : end.how);
    },
  };
}

/** Reads the output of the worker; returns a function that waits for its next report. */
function listen(child: ChildProcess, received: WorkerOutput): () => Promise<undefined> {
  let finished = (): void => undefined;
  let broken = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      received.output = (received.output + text).slice(-keptOutput);
    });
  }
  createInterface(child.stdio[messagePipe] as Readable).on('line', (line) => {
    const message = broken ? undefined : messageIn(line);
    if (message === undefined) {
      // It may have been the report, and what follows is not trusted.
      broken = true;
      child.kill('SIGKILL');
    } else if ('started' in message) received.started = message.started;
    else {
      received.report = message.finished;
      finished();
    }
  });
  return () => new Promise((resolve) => void (finished = () => resolve(undefined)));
}

function messageIn(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}

/** Output that a worker printed before its report is in its pipes by then; one turn of the event loop reads it. */
async function outputRead(): Promise<void> {
  await turn();
  await turn();
}

const exitOf = (child: ChildProcess): Promise<End> =>
  new Promise((resolve) => {
    child.once('exit', (code, killedBy) => resolve(exited(code, killedBy)));
    child.once('error', (error) => resolve(forced(`could not be started (${error.message})`)));
  });

async function bounded(
  outcome: Promise<End | undefined>,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<End | undefined> {
  if (signal.aborted) return forced('was interrupted');
  const over = new AbortController();
  const waiting = { signal: over.signal };
  const end = await Promise.race([
    outcome,
    delay(timeoutMs, forced(`took longer than ${timeoutMs} ms`), waiting),
    once(signal, 'abort', waiting).then(() => forced('was interrupted')),
  ]);
  over.abort();
  return end;
}

function exited(code: number | null, killedBy: NodeJS.Signals | null): End {
  if (killedBy) return forced(`was killed by ${killedBy}`);
  const why = code === unsettledAwait ? ', as what it awaits can never happen,' : '';
  return { clean: code === 0, how: `exited with code ${code}${why}` };
}

function forced(how: string): End {
  return { clean: false, how };
}

/** Kills it with every process that it has started. */
async function killed(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  killGroup(child, 'SIGTERM');
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  killGroup(child, 'SIGKILL');
  for (const stream of child.stdio) stream?.destroy();
}

const lastProblems = ({ report }: WorkerOutput): string | undefined => report?.problems.join(', ');

function problemsOf({ report, started }: WorkerOutput, end: End | undefined): readonly string[] {
  const where = started === undefined ? 'while loading' : `in or after "${started}"`;
  if (!report) return [`${end?.how ?? 'ended'} before its tests had finished, ${where}`];
  if (end === undefined || end.clean) return report.problems;
  return [...report.problems, `${end.how} after its tests had finished`];
}
