import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly closingLine: string | undefined;
}

interface SpawnedRunner {
  readonly outcome: Promise<Outcome>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** The real runner on the fixtures beside it. */
export function spawnRunner(args: readonly string[], env: NodeJS.ProcessEnv = {}): SpawnedRunner {
  const command = [...process.execArgv, pathOf('main.js'), '--root', pathOf('fixtures'), ...args];
  const { FORCE_COLOR: _, ...inherited } = process.env;
  const runner = spawn(process.execPath, command, {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => runner.once('exit', resolve));
  const outcome = Promise.all([exited, text(runner.stdout)]).then(([code, output]) => ({
    code,
    output,
    closingLine: output.split('\n').at(-2),
  }));
  return { outcome, kill: (signal) => runner.kill(signal) };
}

export function runRunner(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> {
  return spawnRunner(args, env).outcome;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
