import type { Server, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { Cancellation } from '../../runtime/lang/cancellation.js';
import { quietTurn } from './quiet-turn.js';

/** A stop by hand is quick. */
const defaultIdleGraceMs = 1_500;
/** A connection that was busy may be idle by then. */
const lookAgainMs = 500;
const turnMs = 50;
/** How many times as long as its grace a connection may be silent on a busy machine. */
const longestWait = 5;
const turnsToTake = 3;
/** Idle connections are closed in at most so many groups. */
const mostGroups = 1_000;

/** The requests on one connection: nearly always one, but clients may pipeline. */
class ConnectionRequests {
  newest: Cancellation | undefined;
  /** The bytes after these requests cannot be parsed. */
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

/** Tracks every open connection and its requests, with one listener per connection instead of one per request. */
export class Connections {
  readonly #open = new Map<Socket, ConnectionRequests>();
  readonly #watching = new Set<Socket>();
  readonly #waiters: (() => void)[] = [];
  #accepted = 0;
  #active = 0;
  #closing = false;

  constructor(
    private readonly server: Server,
    /** How long a draining server waits for clients that have open connections to send once more. */
    private readonly idleGraceMs: number = defaultIdleGraceMs,
  ) {
    server.on('connection', (socket: Socket) => {
      // A connection whose upgrade was declined is announced a second time, with its requests.
      if (this.#open.has(socket)) return;
      const requests = new ConnectionRequests();
      this.#open.set(socket, requests);
      this.#accepted++;
      socket.once('close', () => {
        this.#open.delete(socket);
        requests.abort(clientGone);
        this.#resolveIfClosed();
      });
    });
  }

  /** Open connections that send requests. */
  get size(): number {
    return this.#open.size - this.#watching.size;
  }

  /** From here on the connection only receives: it is not part of a crowd. */
  watches(socket: Socket): void {
    if (!this.#open.has(socket)) return;
    this.#watching.add(socket);
    socket.once('close', () => this.#watching.delete(socket));
  }

  get active(): number {
    return this.#active;
  }

  /** Returns the requests of the connection; undefined when it has closed already. */
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

  /** Whether this answer is the last on its connection; `close` would drop the requests behind it. */
  isLastAnswer(requests: ConnectionRequests | undefined, cancellation: Cancellation): boolean {
    return (this.#closing || requests?.isBroken === true) && requests?.newest === cancellation;
  }

  /** Whether a connection that received invalid bytes still has requests; these are answered before it closes. */
  breakAfterPending(socket: Socket): boolean {
    const requests = this.#open.get(socket);
    if (requests === undefined || requests.isEmpty) return false;
    requests.isBroken = true;
    // Cut off in the middle: the client has closed the connection.
    if (socket.readableEnded) socket.destroy();
    return true;
  }

  abortAll(reason: Problem): void {
    for (const requests of this.#open.values()) requests.abort(() => reason);
  }

  /** Accepts no new connections; open ones get `close` with their next answer, so that no request is cut off. */
  async stopAccepting(): Promise<void> {
    // The system resets connections that it has accepted for us and that we have not taken yet.
    await quietTurn(() => this.#accepted, turnsToTake);
    // At once: a client that has to close its connection connects again.
    this.#closing = true;
    // http.Server's own close would also cut idle keep-alive connections, on which a request may be arriving.
    net.Server.prototype.close.call(this.server);
    void this.#closeIdleAfterGrace();
  }

  /** Waits until everything that clients have sent so far is read; false when that is not certain. */
  untilRead(): Promise<boolean> {
    return quietTurn(() => {
      let count = this.#accepted;
      for (const socket of this.#open.keys()) count += socket.bytesRead;
      return count;
    });
  }

  whenClosed(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push(resolve);
      this.#resolveIfClosed();
    });
  }

  async #closeIdleAfterGrace(): Promise<void> {
    for (let ms = this.idleGraceMs; this.#open.size > 0; ms = lookAgainMs) {
      await turnsOf(ms);
      await this.#closeIdle();
    }
  }

  async #closeIdle(): Promise<void> {
    const idle = this.#idle();
    const atOnce = Math.ceil(idle.length / mostGroups);
    for (let at = 0; at < idle.length; at += atOnce) {
      // What arrives after this look is lost with its connection: look again for every few.
      if (!(await closeQuiet(idle.slice(at, at + atOnce)))) break;
    }
  }

  /** The connections without a request, also in parts. */
  #idle(): readonly IdleConnection[] {
    const idle: IdleConnection[] = [];
    for (const socket of this.#open.keys()) {
      const { bytesRead } = socket;
      // Node does not count connections as idle that never sent anything.
      if (bytesRead === 0) idle.push({ socket, bytesRead });
      // Which others are idle only Node knows, and all that it offers is to destroy them.
      socket.destroy = () => {
        // It counts a connection as idle once its answer is written, even while the answer is still being sent.
        if (socket.writableLength === 0) idle.push({ socket, bytesRead });
        return socket;
      };
    }
    this.server.closeIdleConnections();
    for (const socket of this.#open.keys()) Reflect.deleteProperty(socket, 'destroy');
    return idle;
  }

  #resolveIfClosed(): void {
    if (this.#open.size + this.#active > 0) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }
}

/**
 * Waits by turns of a timer, of which a late one counts less: where this process waits for a processor, busier clients
 * wait longer.
 */
async function turnsOf(ms: number): Promise<void> {
  const latest = performance.now() + longestWait * ms;
  let [left, from] = [ms, performance.now()];
  while (left > 0 && from < latest) {
    await delay(turnMs, undefined, { ref: false });
    const now = performance.now();
    left -= turnMs * Math.min(1, turnMs / (now - from));
    from = now;
  }
}

interface IdleConnection {
  readonly socket: Socket;
  /** When it was found idle: it still is while nothing else has been read. */
  readonly bytesRead: number;
}

/** Closes those on which nothing has arrived; returns false when that is not certain. */
async function closeQuiet(idle: readonly IdleConnection[]): Promise<boolean> {
  // Unread bytes would reset a connection.
  if (!(await quietTurn(() => idle.reduce((sum, { socket }) => sum + socket.bytesRead, 0)))) return false;
  for (const { socket, bytesRead } of idle) if (socket.bytesRead === bytesRead) socket.destroy();
  return true;
}

export const clientGone = (): Problem =>
  new Problem('client-gone', { detail: 'The client closed its connection.' });

/** Where Node keeps the pending answer of a connection; the next one moves up before this one is closed. */
interface Answering extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

/** Calls back when every complete request on this connection is answered; never when the connection closes first. */
export function whenAnswered(socket: Answering, then: () => void): void {
  const { _httpMessage: pending } = socket;
  // A request that is broken in its body is not waited for: it is the broken one.
  if (pending?.req.complete === true) pending.once('close', () => whenAnswered(socket, then));
  else if (!socket.destroyed) then();
}

/** Refuses a stream behind an unanswered request: Node reports no end of an answer that never got its turn. */
export function mustHaveOwnConnection({ raw }: FastifyReply): void {
  if (raw.socket !== null) return;
  throw new Problem('malformed-request', {
    detail: 'Open a stream on a connection of its own, not behind a request that is not answered yet.',
  });
}
