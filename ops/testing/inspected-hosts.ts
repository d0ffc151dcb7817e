import { WebSocket } from 'ws';
import type { RequestItem } from '../console/model/requests.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { type SpawnedSupervisor, withSupervisor } from './spawned-supervisor.js';

export const withHosts = (
  body: (supervisor: SpawnedSupervisor) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withStore((url) => withSupervisor({ env: { DATABASE_URL: url, SVC_INSPECT: '1', ...env } }, body));

export const names = ['north-1', 'north-2'];

/** Uses a new connection, so that any host may get it. */
export async function read<T>({ url }: SpawnedSupervisor, path: string): Promise<T> {
  const answer = await fetch(`${url}/console/api/${path}`, { headers: { connection: 'close' } });
  return (await answer.json()) as T;
}

export const requestsOf = (supervisor: SpawnedSupervisor, query = '') =>
  read<RequestItem[]>(supervisor, `requests?limit=200${query}`);

interface Frame {
  readonly rootId: string;
}

export async function inspecting(supervisor: SpawnedSupervisor, query = '') {
  const socket = new WebSocket(`${supervisor.url.replace('http', 'ws')}/inspect${query}`);
  const hosts = new Set<string>();
  const ids: string[] = [];
  socket.on('message', (data: Buffer) => {
    const { rootId } = JSON.parse(data.toString()) as Frame;
    // Steps of processes are sent while they happen, and are not kept for later inspectors.
    if (rootId.includes('/order-fulfilment/')) return;
    hosts.add(rootId.split('/')[0] ?? '');
    ids.push(data.toString());
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => void socket.once('open', resolve));
  return { socket, hosts, ids };
}
