import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { startHttpsServer } from '../../../runtime/testing/https-server.js';

/** What the subscribers of the bench call. */
export interface Receivers {
  /** Answers at once. */
  readonly alive: string;
  /** Accepts connections, and never says a word. */
  readonly silent: string;
  /** Nothing listens there. */
  readonly refusing: string;
  /** For the sender of the service. */
  readonly options: object;
  /** When deliveries arrived, and how long after their event. */
  readonly arrivals: { readonly at: number; readonly afterMs: number }[];
}

export async function withReceivers<T>(body: (receivers: Receivers) => Promise<T>): Promise<T> {
  const arrivals: { at: number; afterMs: number }[] = [];
  const server = await startHttpsServer((request, response) => {
    const at = Date.now();
    void text(request).then((sent) => {
      const { timestamp } = JSON.parse(sent) as { readonly timestamp: string };
      arrivals.push({ at, afterMs: at - Date.parse(timestamp) });
      response.writeHead(204).end();
    });
  });
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  const [silentPort, closedPort] = [await listening(silent), await closed()];
  const ports = { allowedPorts: [server.port, silentPort, closedPort] };
  try {
    return await body({
      alive: server.url,
      silent: `https://localhost:${silentPort}/`,
      refusing: `https://localhost:${closedPort}/`,
      options: { ...ports, allowedAddresses: ['127.0.0.1', '::1'], authorities: [server.authority] },
      arrivals,
    });
  } finally {
    silent.close();
    for (const socket of sockets) socket.destroy();
    await server.close();
  }
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closed(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  return port;
}
