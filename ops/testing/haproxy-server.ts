import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../contracts/problems.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { program } from '../../runtime/testing/installed-program.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { runtimeCommand } from '../deploy/haproxy/runtime-socket.js';

/** A real HAProxy with the configuration of ops/haproxy, other ports and other paths. */
export interface HaproxyServer {
  readonly url: string;
  readonly folder: string;
  /** The content of deploy.json. */
  readonly config: Readonly<Record<string, unknown>>;
  command(text: string): Promise<string>;
  /** Without a clean shutdown. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const example = fileURLToPath(new URL('../../../ops/haproxy/haproxy.cfg', import.meta.url));

export const withHaproxy = (body: (haproxy: HaproxyServer) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const path = await program('haproxy');
    const [front, blue, green] = [await freePort(), await freePort(), await freePort()];
    const file = (name: string): string => join(folder, name);
    await writeFile(file('haproxy.cfg'), await configuration(folder, { front, blue, green }));
    for (const name of ['canary.map', 'orders.state']) await writeFile(file(name), '');
    let child: ChildProcess | undefined;
    const command = (line: string) => runtimeCommand(file('admin.sock'), line, AbortSignal.timeout(10_000));
    const server: HaproxyServer = {
      url: `http://127.0.0.1:${front}`,
      folder,
      config: {
        driver: 'haproxy',
        socket: file('admin.sock'),
        backend: 'orders',
        slots: { blue: { server: 'blue', port: blue }, green: { server: 'green', port: green } },
        state: file('orders.state'),
      },
      command,
      start: async () => {
        child = await started(spawn(path, ['-db', '-f', file('haproxy.cfg')]), () => command('show info'));
      },
      stop: async () => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'close');
        child.kill('SIGKILL');
        await ended;
      },
    };
    try {
      await server.start();
      await body(server);
    } finally {
      await server.stop();
    }
  });

/** The example with other ports and paths, without the accounts of an installed HAProxy. */
async function configuration(folder: string, ports: Record<'front' | 'blue' | 'green', number>) {
  return (await readFile(example, 'utf8'))
    .replaceAll(/^ +(?:user|group) .*\n/gm, '')
    .replace(' user svc', '')
    .replace('bind :8080', `bind 127.0.0.1:${ports.front}`)
    .replace(':3001', `:${ports.blue}`)
    .replace(':3002', `:${ports.green}`)
    .replaceAll(/\/(?:run|var\/lib|etc)\/haproxy\//g, `${folder}/`);
}

async function started(
  child: ChildProcessWithoutNullStreams,
  info: () => Promise<string>,
): Promise<ChildProcess> {
  let errors = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  await until(async () => {
    if (child.exitCode !== null) throw new Problem('invalid-setup', { detail: `haproxy: ${errors}` });
    // A killed one leaves its socket.
    return (await info().catch(() => '')).includes(`Pid: ${child.pid}\n`);
  });
  return child;
}
