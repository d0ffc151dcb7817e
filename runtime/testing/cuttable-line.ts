import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between a host and its database, and can be cut as if the server were gone. */
export interface CuttableLine {
  /** The database's URL, through this line. */
  readonly url: string;
  /** Ends every connection; new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** New connections go to this server from now on. */
  leadTo(url: string): void;
}

export async function withLine(to: string, body: (line: CuttableLine) => Promise<void>): Promise<void> {
  let target = new URL(to);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) keep(socket);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await listenOn(server, 0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(to);
  url.host = `127.0.0.1:${port}`;
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  };
  try {
    const leadTo = (other: string): void => void (target = new URL(other));
    await body({ url: url.href, cut, restore: () => listenOn(server, port), leadTo });
  } finally {
    if (server.listening) await cut();
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
