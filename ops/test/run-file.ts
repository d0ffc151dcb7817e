import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isLive } from './find.js';
import { messagePipe } from './messages.js';
import type { Message, Report } from './messages.js';
import type { FileResult } from './report.js';

export interface RunOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** How a child ended, in words; clean is what it does by itself after its report. */
interface End {
  readonly clean: boolean;
  readonly how: string;
}

/** What was heard from a child until it ended. */
interface Heard {
  output: string;
  started?: string;
  report?: Report;
}

const childScript = fileURLToPath(new URL('child.js', import.meta.url));
const keptOutput = 2 ** 20;
const graceMs = 3_000;
const unsettledAwait = 13;
/** So that the servers a test has started end with it; Windows has no process groups. */
const leadsGroup = process.platform !== 'win32';

export function timeoutFor(file: string, override: string | undefined): number {
  return override === undefined ? (isLive(file) ? 600_000 : 120_000) : Number(override);
}

/** Runs one file in a process of its own, and leaves no process of it behind. */
export async function runFile(file: string, options: RunOptions): Promise<FileResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, childScript, join(options.root, file)], {
    detached: leadsGroup,
    env: options.env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const heard = listen(child);
  const closed = once(child, 'close').catch(() => {});
  const end = await ended(child, options);
  killGroup(child, 'SIGTERM');
  await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
  killGroup(child, 'SIGKILL');
  for (const stream of child.stdio) stream?.destroy();

  const { tests, passed } = heard.report ?? { tests: 0, passed: 0 };
  const ms = performance.now() - startedAt;
  return { file, tests, passed, problems: problemsOf(heard, end), output: heard.output, ms };
}

function listen(child: ChildProcess): Heard {
  const heard: Heard = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      heard.output = (heard.output + text).slice(-keptOutput);
    });
  }
  createInterface(child.stdio[messagePipe] as Readable).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    if ('started' in message) heard.started = message.started;
    else heard.report = message.finished;
  });
  return heard;
}

async function ended(child: ChildProcess, { timeoutMs, signal }: RunOptions): Promise<End> {
  const exit = new Promise<End>((resolve) => {
    child.once('exit', (code, killedBy) => resolve(exited(code, killedBy)));
    child.once('error', (error) => resolve(forced(`could not be started (${error.message})`)));
  });
  const over = new AbortController();
  const waiting = { signal: over.signal };
  const end = await Promise.race([
    exit,
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

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(leadsGroup ? -child.pid : child.pid, signal);
  } catch {
    // Nothing of it is left.
  }
}

function problemsOf({ report, started }: Heard, end: End): readonly string[] {
  const where = started === undefined ? 'while loading' : `in or after "${started}"`;
  if (!report) return [`${end.how} before its tests had finished, ${where}`];
  return end.clean ? report.problems : [...report.problems, `${end.how} after its tests had finished`];
}
