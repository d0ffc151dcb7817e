import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../contracts/problems.js';
import { builtForProcess, processRoot } from '../../runtime/testing/process-root.js';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `svc` as a separate process. */
export interface SpawnedCli {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Its output so far. */
  readonly output: { readonly stdout: string[]; readonly stderr: string[] };
  kill(signal: NodeJS.Signals): Promise<Ended>;
  onLine(listener: (line: string) => void): void;
  /** Stops reading, as `head` does. */
  leave(stream?: 'stdout' | 'stderr'): void;
}

/** A listening host. */
export interface SpawnedHost extends SpawnedCli {
  readonly url: string;
  /** The log line with the address. */
  readonly listening: LogLine;
}

type LogLine = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string>>;

const cli = fileURLToPath(builtForProcess(new URL('../cli.js', import.meta.url)));

/** Starts the orders example on any free port, and stops it after the body. */
export const withOrders = (env: Env, body: (host: SpawnedHost) => Promise<void>): Promise<void> =>
  withListening(['start', 'examples/orders'], env, body);

/** Starts a listening process, and stops it after the body. */
export async function withListening(
  args: readonly string[],
  env: Env,
  body: (host: SpawnedHost) => Promise<void>,
): Promise<void> {
  await listeningTo(startCli(args, env), body);
}

/** The same for any start function. */
export async function listeningTo(
  host: SpawnedCli,
  body: (host: SpawnedHost) => Promise<void>,
): Promise<void> {
  try {
    const listening = await untilListening(host);
    await body({ ...host, url: String(listening['url']), listening });
  } finally {
    await host.kill('SIGKILL');
  }
}

/** Runs `svc` to its end. */
export async function svc(args: readonly string[], env: Env = {}) {
  const { ended, output } = startCli(args, env);
  const { code } = await ended;
  return { code, stdout: output.stdout.join(''), stderr: output.stderr.join('') };
}

/** In the folder of the repository, with an environment without our own settings. */
export const startCli = (args: readonly string[], env: Env): SpawnedCli =>
  startProgram(process.execPath, [cli, ...args], env);

export function startProgram(program: string, args: readonly string[], env: Env): SpawnedCli {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SVC_(?!TEST_POSTGRES)|DATABASE_)/.test(name),
  );
  const child = spawn(program, args, {
    cwd: processRoot,
    env: { ...Object.fromEntries(inherited), SVC_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: [] as string[], stderr: [] as string[] };
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.stderr.push(text));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal }) as Ended);
  const lines = createInterface(child.stdout);
  return {
    pid: child.pid ?? 0,
    ended,
    output,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
    onLine: (listener) => void lines.on('line', listener),
    leave: (stream = 'stdout') => void child[stream].destroy(),
  };
}

function untilListening(host: SpawnedCli): Promise<LogLine> {
  const listening = new Promise<LogLine>((resolve) => {
    host.onLine((line) => {
      const entry = JSON.parse(line) as LogLine;
      if (entry['msg'] === 'listening') resolve(entry);
    });
  });
  const early = host.ended.then(({ code }) => {
    const output = [...host.output.stdout, ...host.output.stderr].join('');
    throw new Problem('host-silent', {
      detail: `The host exited with ${String(code)} before it listened:\n${output}`,
    });
  });
  return Promise.race([listening, early]);
}
