import { Problem } from '../../contracts/problems.js';
import { hasAborted, onAbort } from '../lang/cancellation.js';

/** Commands, reads and leases come before what follows the log. */
export type QueueClass = 'command' | 'follower';

interface Waiting {
  readonly enteredAt: number;
  admit(): void;
}

/** While a follower waits, it is next after this many commands: it is never starved. */
export const commandsInARow = 4;
/** The queue is long when its first command has waited this long, or when there are this many. */
const longMs = 5_000;
const longCount = 1_000;
/** Without a signal, nobody waits longer than the default deadline of a command. */
const waitMs = 30_000;

/** Whose turn it is when all connections of a pool are in use. */
export class ConnectionQueue {
  // Sets keep the order of arrival, and anyone can leave.
  readonly #waiting = { command: new Set<Waiting>(), follower: new Set<Waiting>() };
  #free: number;
  #commandsSince = 0;
  #leftAt = performance.now();

  constructor(private readonly connections: number) {
    this.#free = connections;
  }

  /** Resolves when a connection may be used; `leave` must be called after it. */
  async enter(of: QueueClass, signal?: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    if (signal !== undefined && hasAborted(signal)) throw signal.reason;
    if (of === 'command') this.#mustBeShort();
    await this.#wait(of, signal);
  }

  leave(): void {
    this.#leftAt = performance.now();
    const next = this.#next();
    if (next === undefined) this.#free++;
    else next.admit();
  }

  #next(): Waiting | undefined {
    const [command] = this.#waiting.command;
    const [follower] = this.#waiting.follower;
    const isFollowersTurn = command === undefined || this.#commandsSince >= commandsInARow;
    if (follower !== undefined && isFollowersTurn) {
      this.#commandsSince = 0;
      return follower;
    }
    this.#commandsSince = follower === undefined ? 0 : this.#commandsSince + 1;
    return command;
  }

  #mustBeShort(): void {
    const { command } = this.#waiting;
    const [first] = command;
    if (first === undefined) return;
    const waitedMs = performance.now() - first.enteredAt;
    if (waitedMs >= longMs || command.size >= longCount) throw tooLong(command.size);
  }

  #wait(of: QueueClass, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting[of];
      const end = (): void => {
        line.delete(waiting);
        clearTimeout(timer);
        forget();
      };
      const refuse = (reason: unknown): void => {
        end();
        reject(reason);
      };
      const waiting: Waiting = {
        enteredAt: performance.now(),
        admit: () => {
          end();
          resolve();
        },
      };
      const endsAt = signal === undefined ? waiting.enteredAt + waitMs : Number.POSITIVE_INFINITY;
      const check = (): void => {
        const now = performance.now();
        if (now - this.#leftAt >= longMs) refuse(stalled(this.connections));
        else if (now >= endsAt) refuse(tooLong(line.size));
        else timer = setTimeout(check, Math.min(this.#leftAt + longMs, endsAt) - now).unref();
      };
      let timer = setTimeout(check, longMs).unref();
      const forget = signal === undefined ? ignore : onAbort(signal, () => refuse(signal.reason));
      line.add(waiting);
    });
  }
}

const ignore = (): void => undefined;

const tooLong = (count: number): Problem =>
  new Problem('overloaded', {
    detail: `The database is slow: ${count} statements wait for a connection.`,
    retryAfter: 1,
  });

/** The server is frozen, or the way to it is interrupted. */
const stalled = (connections: number): Problem =>
  new Problem('store-unavailable', {
    detail: `None of ${connections} connections became free in ${longMs / 1000} s; try again shortly.`,
    retryAfter: 1,
  });
