import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FrameSource } from '../inspection/inspection-feed.js';

const flushMs = 50;
const leaveWithinMs = 1_000;

/** An attached inspector: receives frames a few times a second, and is disconnected when it does not read them. */
export class InspectorClient {
  readonly #detach: () => void;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAlive = true;

  constructor(
    private readonly client: WebSocket,
    private readonly socket: Duplex,
    private readonly source: FrameSource,
    host: string | undefined,
    private readonly bufferBytes: number,
  ) {
    // Incoming messages are ignored; invalid WebSocket data closes this connection only.
    client.on('error', () => client.terminate());
    client.on('pong', () => (this.#isAlive = true));
    client.on('ping', (data: Buffer) => this.#answer(data));
    this.#detach = source.follow(host, (frame) => this.#take(frame), bufferBytes / 2);
    client.once('close', () => {
      this.#leave();
    });
  }

  /** Closes the connection when the last ping got no answer. */
  mustBeAlive(): void {
    if (!this.#isAlive) this.client.terminate();
    this.#isAlive = false;
    if (this.client.readyState === this.client.OPEN) this.client.ping();
  }

  disconnect(): void {
    this.#flush();
    this.client.close(1001, 'The host is shutting down.');
    setTimeout(() => this.client.terminate(), leaveWithinMs).unref();
  }

  #answer(ping: Buffer): void {
    if (this.client.bufferedAmount > this.bufferBytes) this.client.terminate();
    else if (this.client.readyState === this.client.OPEN) this.client.pong(ping);
  }

  #take(frame: string): void {
    if (this.client.readyState !== this.client.OPEN) return;
    if (this.client.bufferedAmount + this.#waitingBytes + frame.length > this.bufferBytes) {
      this.source.missed(this.#waiting.length + 1);
      this.#leave();
      this.client.terminate();
      return;
    }
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    this.#timer ??= setTimeout(() => {
      this.#flush();
    }, flushMs);
  }

  /** Sends all frames in one write. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const frames = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (this.client.readyState !== this.client.OPEN) return;
    this.socket.cork();
    for (const frame of frames) this.client.send(frame);
    this.socket.uncork();
  }

  #leave(): void {
    this.#detach();
    clearTimeout(this.#timer);
    this.#waiting = [];
  }
}
