import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
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
  const line = new ProxiedLine(to);
  await line.restore();
  try {
    await body(line);
  } finally {
    line.resume();
    await line.cut();
  }
}

class ProxiedLine implements NetworkProxy {
  #target: URL;
  #held: (() => void)[] | undefined;
  #sent = 0;
  #silentAfter = Infinity;
  #delayMs = 0;
  #port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #servers = new Set<Socket>();
  // A silent line does not say that the other side has closed.
  readonly #server = createServer({ allowHalfOpen: true }, (near) => this.#join(near));

  constructor(private readonly to: string) {
    this.#target = new URL(to);
  }

  get url(): string {
    const url = new URL(this.to);
    url.host = `127.0.0.1:${this.#port}`;
    return url.href;
  }

  async cut(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  async restore(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  readonly silence = (): void => void (this.#held ??= []);
  readonly silenceAfter = (bytes: number): void => void (this.#silentAfter = bytes);

  readonly resume = (): void => {
    const steps = this.#held ?? [];
    [this.#held, this.#silentAfter] = [undefined, Infinity];
    for (const step of steps) step();
  };

  readonly stall = (): void => pause(this.#sockets);
  readonly swallowAnswers = (): void => pause(this.#servers);
  readonly slow = (ms: number): void => void (this.#delayMs = ms);
  readonly route = (url: string): void => void (this.#target = new URL(url));
  readonly sentBytes = (): number => this.#sent;

  #join(near: Socket): void {
    const { hostname, port } = this.#target;
    const far = connect({ port: Number(port || 5432), host: hostname, allowHalfOpen: true });
    this.#servers.add(far);
    far.once('close', () => this.#servers.delete(far));
    near.on('data', (chunk: Buffer) => {
      this.#sent += chunk.length;
      if (this.#sent > this.#silentAfter) this.silence();
    });
    const slowly = later(() => this.#delayMs, this.#pass);
    forward(near, far, this.#sockets, slowly);
    forward(far, near, this.#sockets, this.#pass);
  }

  readonly #pass: Pass = (step) => {
    if (this.#held === undefined) step();
    else this.#held.push(step);
  };
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

function pause(some: ReadonlySet<Socket>): void {
  for (const socket of some) socket.pause();
}

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
