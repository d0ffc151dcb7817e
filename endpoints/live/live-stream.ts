import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { LiveMessage, Watching } from '../../runtime/live/watcher.js';
import { type CloseReason, firstFrame } from './event-frames.js';
import { plainFormat, type StreamFormat } from './stream-format.js';

/** A client that does not read may still get the reason. */
const closeWithinMs = 5_000;

/** One open connection that receives server-sent events. */
export class LiveStream {
  #watching: Watching | undefined;
  #isClosed = false;
  #sentBefore = -1;

  constructor(
    private readonly raw: ServerResponse,
    /** A client that leaves more unread is too slow. */
    private readonly maxQueuedBytes: number,
    private readonly format: StreamFormat = plainFormat,
  ) {
    raw.once('close', () => {
      this.#isClosed = true;
      this.#watching?.leave();
    });
  }

  start(headers: OutgoingHttpHeaders, watching: Watching): void {
    this.#watching = watching;
    if (this.#isClosed) return watching.leave();
    this.raw.writeHead(200, headers);
    this.raw.write(firstFrame);
  }

  send(message: LiveMessage): void {
    if (this.#isClosed) return;
    if (this.raw.writableLength > this.maxQueuedBytes) this.close('slow');
    else this.raw.write(this.format.frameOf(message));
  }

  /** A client that has read nothing of what waits since the last heartbeat does not read anymore. */
  heartbeat(): void {
    if (this.#isClosed) return;
    const { socket, writableLength } = this.raw;
    const sent = writableLength === 0 || socket === null ? -1 : socket.bytesWritten - socket.writableLength;
    if (sent >= 0 && sent === this.#sentBefore) return this.close('slow');
    this.#sentBefore = sent;
    this.raw.write(this.format.heartbeat(this.#watching?.at));
  }

  close(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#watching?.leave();
    this.raw.end(this.format.closed(reason));
    const timer = setTimeout(() => this.raw.destroy(), closeWithinMs).unref();
    this.raw.once('close', () => clearTimeout(timer));
  }
}
