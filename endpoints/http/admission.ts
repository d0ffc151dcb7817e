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
 * With it, requests are read at once and served a few per turn, and their waiting times are known.
 */
export class Admission {
  #queue: (Queued | undefined)[] = [];
  #next = 0;
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
    return this.#queue.length - this.#next;
  }

  take(waiting: Waiting): void {
    if (this.size >= maxWaiting) return waiting.refuse();
    this.#queue.push({ since: this.now(), waiting });
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
    const first = this.#queue[this.#next];
    this.#queue[this.#next++] = undefined;
    if (first === undefined) return;
    const waitedMs = now - first.since;
    if (waitedMs > this.#longestWaitMs) this.#longestWaitMs = waitedMs;
    if (mayStillBeServed(waitedMs, this.isCrowded())) first.waiting.serve();
    else first.waiting.refuse();
    this.#servedAt = this.now();
    if (this.size === 0 || this.#next > maxPerTurn) this.#forget();
  }

  #forget(): void {
    this.#queue = this.#queue.slice(this.#next);
    this.#next = 0;
  }
}
