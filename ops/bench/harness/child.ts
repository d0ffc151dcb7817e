import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { Problem } from '../../../contracts/problems.js';

/** A Node.js process that prints one line of JSON. */
export interface Child<T> {
  readonly pid: number;
  readonly output: T;
  stop(): Promise<void>;
}

interface ChildOptions {
  /** The core it is pinned to, if the system allows it. */
  readonly core?: number;
  readonly flags?: readonly string[];
}

/** Starts a script and waits for its first line. */
export async function startChild<T>(
  script: string,
  args: readonly string[],
  { core, flags = [] }: ChildOptions = {},
): Promise<Child<T>> {
  const command = [...pinnedTo(core), process.execPath, ...flags, script, ...args];
  // Its first line is its output: no log line may come before it.
  const env = { ...process.env, SVC_LOG: 'error' };
  const child = spawn(command[0] ?? '', command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = once(child, 'close');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
  if (line === undefined || child.pid === undefined) {
    const detail = `${script} ended without an answer: ${errors.join('').trim()}`;
    throw new Problem('unexpected', { detail });
  }
  const output = JSON.parse(String(line[0])) as T;
  return { pid: child.pid, output, stop: () => stopped(child, ended) };
}

/** Runs a script to its end and returns its output. */
export async function runChild<T>(
  script: string,
  args: readonly string[],
  options: ChildOptions = {},
): Promise<T> {
  const child = await startChild<T>(script, args, options);
  await child.stop();
  return child.output;
}

async function stopped(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill();
  await ended;
}

const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true'], { stdio: 'ignore' }).status === 0;

const pinnedTo = (core: number | undefined): string[] =>
  core === undefined || !canPin ? [] : ['taskset', '-c', String(core)];
