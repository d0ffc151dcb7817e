import { performance } from 'node:perf_hooks';
import {
  longWaitMs,
  mayStillBeServed,
  sampleEveryMs,
  longWaitShare,
  twice,
  uncrowdedLimit,
} from './load-estimate.js';

interface Waiting {
  serve(): void;
  refuse(): void;
}

interface Queued {
  readonly since: number;
  readonly waiting: Waiting;
}

/** What waits of one sender, in the order in which it came. */
interface Line {
  queue: (Queued | undefined)[];
  next: number;
}

/** A turn of the loop serves for this long, or as long as the loop was busy with other work; */
const minPerTurnMs = longWaitShare * longWaitMs;
/** but two turns at least fit between two samples. */
const maxPerTurnMs = sampleEveryMs / twice;
/** Between two turns that serve, connections are accepted, one per turn, for half of what is a long wait. */
const maxAcceptingMs = longWaitMs / twice;
const maxPerTurn = twice * uncrowdedLimit;
const maxWaiting = 10_000;

/**
 * The queue in front of a saturated event loop. Without it the loop serves everything it finds before it polls again:
 * meanwhile requests wait unread in their sockets, and connections, of which a turn accepts one, wait to be accepted.
 * With it, requests are read at once and served a few per turn, and their waiting times are known. Senders take turns, so
 * that one with many requests does not hold up the others.
 */
export class Admission {
  /** The one whose turn it is comes first. */
  readonly #lines = new Map<string, Line>();
  #size = 0;
  #servedAt: number;
  #hasAccepted = false;
  /** Callbacks still due in this turn. */
  #left = 0;
  #until: number | undefined;
  #longestWaitMs = 0;

  constructor(
    private readonly isCrowded: () => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#servedAt = now();
  }

  get size(): number {
    return this.#size;
  }

  take(waiting: Waiting, sender = ''): void {
    if (this.size >= maxWaiting) return waiting.refuse();
    const queued = { since: this.now(), waiting };
    const line = this.#lines.get(sender);
    if (line === undefined) this.#lines.set(sender, { queue: [queued], next: 0 });
    else line.queue.push(queued);
    this.#size++;
    // A request that arrives while a turn serves is called in the next one.
    if (this.#until === undefined && this.#left < maxPerTurn) this.#call();
  }

  /** The longest wait of a request that was called since the last sample. */
  longestWait(): number {
    const longest = this.#longestWaitMs;
    this.#longestWaitMs = 0;
    return longest;
  }

  /** Called when a connection was accepted: more may be waiting behind it. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** One request per callback: its synchronous work is done before the next one, so its time is measured. */
  #call(): void {
    this.#left++;
    setImmediate(this.#serve);
  }

  readonly #serve = (): void => {
    const now = this.now();
    this.#until ??= this.#endOf(now);
    const mayServe = now < this.#until;
    this.#left--;
    if (this.#left === 0) this.#callNext(mayServe ? this.size - 1 : this.size);
    if (mayServe) this.#settle(now);
  };

  #callNext(waiting: number): void {
    this.#until = undefined;
    for (let n = Math.min(waiting, maxPerTurn); n > 0; n--) this.#call();
  }

  #endOf(now: number): number {
    const otherwiseMs = now - this.#servedAt;
    const mayAccept = this.#hasAccepted && otherwiseMs < maxAcceptingMs;
    this.#hasAccepted = false;
    return mayAccept ? now : now + Math.min(Math.max(minPerTurnMs, otherwiseMs), maxPerTurnMs);
  }

  #settle(now: number): void {
    const first = this.#first();
    if (first === undefined) return;
    const waitedMs = now - first.since;
    if (waitedMs > this.#longestWaitMs) this.#longestWaitMs = waitedMs;
    if (mayStillBeServed(waitedMs, this.isCrowded())) first.waiting.serve();
    else first.waiting.refuse();
    this.#servedAt = this.now();
  }

  /** Removes the first one of the sender whose turn it is. */
  #first(): Queued | undefined {
    const [[sender, line] = []] = this.#lines;
    if (sender === undefined || line === undefined) return undefined;
    const first = line.queue[line.next];
    // Release the settled entry.
    line.queue[line.next++] = undefined;
    this.#size--;
    const isEmpty = line.next === line.queue.length;
    if (line.next > maxPerTurn) {
      line.queue = line.queue.slice(line.next);
      line.next = 0;
    }
    if (!isEmpty && this.#lines.size === 1) return first;
    this.#lines.delete(sender);
    if (!isEmpty) this.#lines.set(sender, line);
    return first;
  }
}
