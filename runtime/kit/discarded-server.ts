import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { connect } from '../database/connect.js';

/** A server that is thrown away with its databases, so that none of them is dropped. */
interface DiscardedServer {
  readonly create: (source: string) => Promise<string>;
  /** The same for a source that never changes: the next one is made while this one is in use. */
  readonly take: (source: string) => Promise<string>;
  /** Ends what is still connected to a database. */
  readonly disconnect: (name: string) => Promise<void>;
}

const servers = new Map<string, Promise<DiscardedServer>>();

/** The same one for as long as its session lasts. */
export function discardedServer(url: string): Promise<DiscardedServer> {
  const known = servers.get(url);
  if (known) return known;
  const forget = (): void => void servers.delete(url);
  const opening = open(url, forget);
  opening.catch(forget);
  servers.set(url, opening);
  return opening;
}

async function open(url: string, onEnd: () => void): Promise<DiscardedServer> {
  const client = await connect(url);
  client.once('end', onEnd);
  const awaited = keepingAlive(client.connection.stream as Socket);
  const create = async (source: string): Promise<string> => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await client.query(`CREATE DATABASE ${name} ${source}`);
    return name;
  };
  const next = new Map<string, Promise<string>>();
  const take = (source: string): Promise<string> => {
    const taken = next.get(source) ?? create(source);
    const following = taken.then(() => create(source));
    // It is reported to the test that takes it, and to no other.
    following.catch(() => next.delete(source));
    next.set(source, following);
    return taken;
  };
  return {
    create: (source) => awaited(create(source)),
    take: (source) => awaited(take(source)),
    disconnect: async (name) => {
      const values = [name];
      await awaited(client.query({ text: disconnectText, values }));
    },
  };
}

const disconnectText = 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1';

/** A process waits for what a test awaits of a socket, not for what else is under way on it. */
function keepingAlive(socket: Socket): <T>(work: Promise<T>) => Promise<T> {
  let waiting = 0;
  socket.unref();
  return async (work) => {
    waiting += 1;
    socket.ref();
    try {
      return await work;
    } finally {
      waiting -= 1;
      if (waiting === 0) socket.unref();
    }
  };
}
