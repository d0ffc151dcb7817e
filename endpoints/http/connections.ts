import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { Problem } from '../../contracts/problems.js';
import type { Cancellation } from '../../runtime/cancellation.js';

const idleGraceMs = 1_500;

/** Knows which request each connection carries: one listener per connection, not one per request. */
export class Connections {
  readonly #current = new Map<Socket, Cancellation>();
  readonly #idleWaiters: (() => void)[] = [];

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      socket.once('close', () => {
        const cancellation = this.#current.get(socket);
        if (cancellation === undefined) return;
        this.left(socket);
        cancellation.abort(new Problem('client-gone', { detail: 'The client closed its connection.' }));
      });
    });
  }

  /** Requests that are being handled. */
  get active(): number {
    return this.#current.size;
  }

  entered(socket: Socket, cancellation: Cancellation): void {
    this.#current.set(socket, cancellation);
  }

  left(socket: Socket): void {
    this.#current.delete(socket);
    if (this.#current.size === 0) for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  abortAll(reason: Problem): void {
    for (const cancellation of this.#current.values()) cancellation.abort(reason);
  }

  /** No new connections; open ones are told to close with their next answer, so none is cut in the middle of a request. */
  stopAccepting(): void {
    // http.Server's own close would also cut idle keep-alive connections, on which a request may be under way.
    net.Server.prototype.close.call(this.server);
    setTimeout(() => {
      this.server.closeIdleConnections();
    }, idleGraceMs).unref();
  }

  whenIdle(): Promise<void> {
    if (this.#current.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve);
    });
  }
}
