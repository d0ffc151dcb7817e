import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy between a host and a server that can be cut as if the server had died, or fall silent as if packets were dropped. */
export interface NetworkProxy {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Ends every connection; new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Nothing arrives on either side anymore, not even that the other one has closed. */
  silence(): void;
  /** The same as soon as clients have sent so many bytes: of what exceeds them nothing arrives. */
  silenceAfter(bytes: number): void;
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
  let silentAfter = Infinity;
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const servers = new Set<Socket>();
  const pass: Pass = (step) => {
    if (held === undefined) step();
    else held.push(step);
  };
  const silence = (): void => void (held ??= []);
  // A silent line does not say that the other side has closed.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({
      port: Number(target.port || 5432),
      host: target.hostname,
      allowHalfOpen: true,
    });
    servers.add(far);
    far.once('close', () => servers.delete(far));
    near.on('data', (chunk: Buffer) => {
      sent += chunk.length;
      if (sent > silentAfter) silence();
    });
    forward(
      near,
      far,
      sockets,
      later(() => delayMs, pass),
    );
    forward(far, near, sockets, pass);
  });
  await listenOn(server, 0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(to);
  url.host = `127.0.0.1:${port}`;
  const resume = (): void => {
    const steps = held ?? [];
    [held, silentAfter] = [undefined, Infinity];
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
    const silenceAfter = (bytes: number): void => void (silentAfter = bytes);
    const paused = { stall: pause(sockets), swallowAnswers: pause(servers) };
    const restore = (): Promise<void> => listenOn(server, port);
    const slow = (ms: number): void => void (delayMs = ms);
    const sentBytes = (): number => sent;
    await body({
      url: url.href,
      cut,
      restore,
      silence,
      silenceAfter,
      resume,
      ...paused,
      slow,
      route,
      sentBytes,
    });
  } finally {
    resume();
    if (server.listening) await cut();
  }
}

type Pass = (step: () => void) => void;

/** In order, also when the delay has just become shorter. */
function later(delayMs: () => number, pass: Pass): Pass {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    if (delayMs() === 0 && waiting === 0) return pass(step);
    waiting++;
    const due = delay(delayMs());
    last = last.then(async () => {
      await due;
      waiting--;
      pass(step);
    });
  };
}

const pause = (some: ReadonlySet<Socket>) => (): void => {
  for (const socket of some) socket.pause();
};

function forward(from: Socket, into: Socket, open: Set<Socket>, pass: Pass): void {
  open.add(from);
  from.on('error', () => undefined);
  from.on('data', (chunk: Buffer) => pass(() => into.writable && into.write(chunk)));
  from.once('end', () => pass(() => into.end()));
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
