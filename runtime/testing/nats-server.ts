import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import { freePort } from '../database/embedded/operating-system.js';
import { withFolder } from '../kit/temporary-folder.js';
import { program } from './installed-program.js';
import { until } from '../kit/until.js';

/** A broker that can be killed, frozen and restarted in the same place. */
export interface NatsServer {
  readonly url: string;
  start(): Promise<void>;
  /** SIGKILL: without a clean shutdown. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  freeze(): Promise<void>;
  resume(): void;
  /** At its next start its store is empty. */
  forget(): void;
}

/** Provides a separate broker with JetStream in an empty folder. */
export const withNatsServer = (
  body: (server: NatsServer) => Promise<void>,
  settings: readonly string[] = [],
): Promise<void> =>
  withFolder(async (folder) => {
    const path = await program('nats-server');
    const port = await freePort();
    let store = 0;
    let child: ChildProcess | undefined;
    const server: NatsServer = {
      url: `nats://127.0.0.1:${port}`,
      start: async () => {
        const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', join(folder, String(store))];
        child = spawn(path, [...args, ...settings], { stdio: ['ignore', 'ignore', 'pipe'] });
        await untilReady(child, port, lastWordsOf(child));
      },
      stop: async (signal = 'SIGKILL') => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'close');
        child.kill('SIGCONT');
        child.kill(signal);
        await ended;
      },
      freeze: async () => {
        child?.kill('SIGSTOP');
        // The signal takes effect a little later; until then it serves.
        await until(() => isStopped(child?.pid));
      },
      resume: () => void child?.kill('SIGCONT'),
      forget: () => void store++,
    };
    try {
      await server.start();
      await body(server);
    } finally {
      await server.stop();
    }
  });

async function isStopped(pid: number | undefined): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]);
  return stdout.startsWith('T');
}

/** Why a program ends: the error of its start, or what it printed last. */
function lastWordsOf(child: ChildProcess): () => string {
  let words = '';
  child.on('error', (error) => (words = error.message));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-500)));
  return () => words.trim();
}

async function untilReady(child: ChildProcess, port: number, lastWords: () => string): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(20)) {
    if (child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    // A server that is ready greets every connection.
    const [greeting] = await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => []);
    socket.destroy();
    if (Buffer.isBuffer(greeting)) return;
  }
  throw new Problem('invalid-setup', {
    detail: `nats-server does not listen on port ${port}: ${lastWords()}`,
  });
}
