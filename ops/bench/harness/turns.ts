import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** In a bench that takes turns with another one: lets it measure, and waits for the next turn. */
export async function nextTurn(): Promise<void> {
  if (process.send === undefined) return;
  const given = once(process, 'message');
  process.send('turn');
  await given;
}

/** A bench in a process of its own. */
export interface Script {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Only one of the scripts works at a time: what changes on the machine within seconds affects all of them. */
export async function inTurns(
  scripts: readonly Script[],
  signal: AbortSignal,
): Promise<readonly PromiseSettledResult<string>[]> {
  const all: Runner[] = [];
  for (const script of scripts) {
    const runner = startRunner(script, signal);
    all.push(runner);
    await runner.paused();
  }
  let left = all.filter(({ hasEnded }) => !hasEnded());
  while (left.length > 0) {
    for (const { child, paused } of left) {
      const done = paused();
      child.send('turn', () => undefined);
      await done;
    }
    left = left.filter(({ hasEnded }) => !hasEnded());
  }
  return Promise.allSettled(all.map(({ output }) => output));
}

interface Runner {
  readonly child: ChildProcess;
  /** What it printed; fails with what it wrote about its failure. */
  readonly output: Promise<string>;
  readonly hasEnded: () => boolean;
  /** Until it lets the next one measure, or ends. */
  readonly paused: () => Promise<unknown>;
}

function startRunner({ file, args, env }: Script, signal: AbortSignal): Runner {
  const child = fork(file, args, { env, signal, execArgv: [], silent: true });
  let hasEnded = false;
  const output = outputOf(child).finally(() => (hasEnded = true));
  const ended = output.catch(() => undefined);
  const message = () => new Promise((resolve) => child.once('message', resolve));
  return {
    child,
    output,
    hasEnded: () => hasEnded,
    paused: () => Promise.race([message(), ended]),
  };
}

async function outputOf(child: ChildProcess): Promise<string> {
  const textOf = (stream: Readable | null) => (stream === null ? Promise.resolve('') : text(stream));
  const written = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [printed, errors] = await written;
  if (code !== 0) throw Object.assign(new TypeError(`exited with ${String(code)}: ${errors}`), { errors });
  return printed;
}
