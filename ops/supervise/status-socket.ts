import { once } from 'node:events';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { QuarantinedCommand } from '../../actors/commands/quarantined-commands.js';
import type { ChildStatus, Running } from '../../actors/supervisor/child.js';
import { Problem } from '../../contracts/problems.js';

export interface HostStatus extends ChildStatus {
  /** Unset while there is no process. */
  readonly pid: number | undefined;
  /** In bytes. */
  readonly memory: number | undefined;
}

export interface SupervisorStatus {
  readonly pid: number;
  readonly app: string;
  readonly url: string;
  readonly state: 'starting' | 'running' | 'reloading' | 'stopping';
  readonly hosts: readonly HostStatus[];
  /** The commands in quarantine. */
  readonly quarantined: readonly QuarantinedCommand[];
}

/** Access to the data folder gives access to the status of its hosts. */
export async function statusSocket(dataDir: string, status: () => SupervisorStatus): Promise<Running> {
  await mkdir(resolve(dataDir), { recursive: true });
  const path = socketIn(dataDir);
  const other = await statusOf(dataDir);
  if (other !== undefined) {
    throw new Problem('invalid-setup', {
      detail: `Process ${other.pid} already supervises hosts in ${dataDir}; stop it, or set SVC_DATA_DIR to another folder.`,
    });
  }
  await rm(path, { force: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(status()));
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** The status reported by the supervisor of a data folder; undefined if none is running. */
export async function statusOf(dataDir: string): Promise<SupervisorStatus | undefined> {
  const socket = connect(socketIn(dataDir));
  try {
    await once(socket, 'connect');
    return JSON.parse(await text(socket)) as SupervisorStatus;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** The shorter of the absolute and the relative path: the path of a socket has a low limit. */
function socketIn(dataDir: string): string {
  const path = join(resolve(dataDir), 'supervisor.sock');
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
