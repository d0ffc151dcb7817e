import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a host and a server that can be cut as if the server had died, or fall silent as if packets were dropped. */
export interface NetworkProxy {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Ends every connection; new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Nothing arrives on either side anymore, not even that the other one has closed. */
  silence(): void;
  /** Delivers what was held back. */
  resume(): void;
  /** The same for open connections only: new ones work. */
  stall(): void;
  /** What clients send arrives, and its answers do not; for open connections only. */
  swallowAnswers(): void;
  /** What clients send arrives this many milliseconds later. */
  slow(ms: number): void;
  /** Sends new connections to this server. */
  route(url: string): void;
  /** How many bytes clients have sent. */
  sentBytes(): number;
}

export async function withProxy(to: string, body: (line: NetworkProxy) => Promise<void>): Promise<void> {
  let target = new URL(to);
  let held: (() => void)[] | undefined;
  let sent = 0;
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  const pass = (step: () => void): void => {
    if (held === undefined) step();
    else held.push(step);
  };
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname);
    servers.add(far);
    far.once('close', () => servers.delete(far));
    near.on('data', (chunk: Buffer) => (sent += chunk.length));
    forward(near, far, sockets, (step) =>
      delayMs === 0 ? pass(step) : void setTimeout(pass, delayMs, step),
    );
    forward(far, near, sockets, pass);
  });
  await listenOn(server, 0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(to);
  url.host = `127.0.0.1:${port}`;
  const resume = (): void => {
    const steps = held ?? [];
    held = undefined;
    for (const step of steps) step();
  };
  const cut = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  };
  try {
    const route = (other: string): void => void (target = new URL(other));
    const silence = (): void => void (held ??= []);
    const paused = { stall: pause(sockets), swallowAnswers: pause(servers) };
    const restore = (): Promise<void> => listenOn(server, port);
    const slow = (ms: number): void => void (delayMs = ms);
    const sentBytes = (): number => sent;
    await body({ url: url.href, cut, restore, silence, resume, ...paused, slow, route, sentBytes });
  } finally {
    resume();
    if (server.listening) await cut();
  }
}

const pause = (some: ReadonlySet<Socket>) => (): void => {
  for (const socket of some) socket.pause();
};

function forward(from: Socket, into: Socket, open: Set<Socket>, pass: (step: () => void) => void): void {
  open.add(from);
  from.on('error', () => undefined);
  from.on('data', (chunk: Buffer) => pass(() => into.writable && into.write(chunk)));
  from.once('close', () => {
    open.delete(from);
    // A paused socket still notices that the other side has closed.
    if (!from.isPaused()) pass(() => into.destroy());
  });
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
