import type { Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '../../contracts/problems.js';
import type { Cancellation } from '../../runtime/cancellation.js';

const idleGraceMs = 1_500;

/** What one connection carries: hardly ever more than one request at a time, but pipelined it may. */
class ConnectionRequests {
  newest: Cancellation | undefined;
  /** Nothing that comes behind them can be understood. */
  isBroken = false;
  #only: Cancellation | undefined;
  #others: Set<Cancellation> | undefined;

  get isEmpty(): boolean {
    return this.#only === undefined && (this.#others?.size ?? 0) === 0;
  }

  add(cancellation: Cancellation): void {
    this.newest = cancellation;
    if (this.#only === undefined) this.#only = cancellation;
    else (this.#others ??= new Set()).add(cancellation);
  }

  remove(cancellation: Cancellation): void {
    if (this.#only === cancellation) this.#only = undefined;
    else this.#others?.delete(cancellation);
  }

  abort(reason: () => Problem): void {
    for (const running of [this.#only, ...(this.#others ?? [])]) running?.abort(reason());
  }
}

/** Knows every open connection and the requests it carries: one listener per connection, not one per request. */
export class Connections {
  readonly #open = new Map<Socket, ConnectionRequests>();
  readonly #waiters: (() => void)[] = [];
  #active = 0;
  #closing = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      // One whose offer of an upgrade was declined comes a second time, with what it carries.
      if (this.#open.has(socket)) return;
      const requests = new ConnectionRequests();
      this.#open.set(socket, requests);
      socket.once('close', () => {
        this.#open.delete(socket);
        requests.abort(clientGone);
        this.#resolveIfClosed();
      });
    });
  }

  /** Open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Requests that are being handled. */
  get active(): number {
    return this.#active;
  }

  /** Gives back what it travels with; nothing, when its connection is gone already. */
  entered(socket: Socket, cancellation: Cancellation): ConnectionRequests | undefined {
    this.#active++;
    const requests = this.#open.get(socket);
    if (requests === undefined) return undefined;
    requests.add(cancellation);
    return requests;
  }

  left(requests: ConnectionRequests | undefined, cancellation: Cancellation): void {
    this.#active--;
    requests?.remove(cancellation);
    if (this.#waiters.length > 0) this.#resolveIfClosed();
  }

  /** Whether the answer to this request is the last on its connection; one that is told to close drops those behind it. */
  isLastAnswer(requests: ConnectionRequests | undefined, cancellation: Cancellation): boolean {
    return (this.#closing || requests?.isBroken === true) && requests?.newest === cancellation;
  }

  /** Whether a connection on which something broken has come carries requests: they are answered, and it ends with them. */
  breakAfterPending(socket: Socket): boolean {
    const requests = this.#open.get(socket);
    if (requests === undefined || requests.isEmpty) return false;
    requests.isBroken = true;
    // Broken off by its end: the client is gone.
    if (socket.readableEnded) socket.destroy();
    return true;
  }

  abortAll(reason: Problem): void {
    for (const requests of this.#open.values()) requests.abort(() => reason);
  }

  /** No new connections; open ones are told to close with their next answer, so none is cut in the middle of a request. */
  stopAccepting(): void {
    this.#closing = true;
    // http.Server's own close would also cut idle keep-alive connections, on which a request may be under way.
    net.Server.prototype.close.call(this.server);
    const timer = setInterval(() => {
      // To Node a connection is idle as soon as its answer was given away, also while it is still being sent.
      if (!this.#isSending()) this.server.closeIdleConnections();
      // Those that never said anything are not idle to Node.
      for (const socket of this.#open.keys()) if (socket.bytesRead === 0) socket.destroy();
    }, idleGraceMs).unref();
    void this.whenClosed().then(() => {
      clearInterval(timer);
    });
  }

  /** No connection is open, and no request of one that is gone still runs. */
  whenClosed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#resolveIfClosed();
    });
  }

  #isSending(): boolean {
    for (const socket of this.#open.keys()) if (socket.writableLength > 0) return true;
    return false;
  }

  #resolveIfClosed(): void {
    if (this.#open.size + this.#active > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

const clientGone = (): Problem => new Problem('client-gone', { detail: 'The client closed its connection.' });

/** Where Node keeps the answer that a connection is waiting for; the next one moves up before this one is closed. */
interface Answering extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

/** Calls back when every request that has come whole on this connection is answered; never, when the connection ends first. */
export function whenAnswered(socket: Answering, then: () => void): void {
  const { _httpMessage: pending } = socket;
  // One that is broken in its body is not waited for: it is what broke.
  if (pending?.req.complete === true) pending.once('close', () => whenAnswered(socket, then));
  else if (!socket.destroyed) then();
}
