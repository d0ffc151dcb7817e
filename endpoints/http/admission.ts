import { performance } from 'node:perf_hooks';
import { uncrowdedLimit, mayStillBeServed } from './load-estimate.js';

/** A request that has been seen and is not yet served. */
interface Waiting {
  serve(): void;
  refuse(): void;
}

interface Queued extends Waiting {
  readonly since: number;
}

/** A turn of the loop serves so long, or as long as the loop was busy with anything else. */
const minPerTurnMs = 2;
const maxPerTurnMs = 50;
/** Between two servings connections are accepted for so long at most, one per turn. */
const maxAcceptingMs = 5;
const maxPerTurn = 2 * uncrowdedLimit;
const maxWaiting = 10_000;

/**
 * The queue in front of an event loop that has no time to spare. Left alone such a loop serves all that it finds before
 * it looks again: meanwhile requests wait unseen in their sockets, and connections, of which a turn accepts one, to be
 * accepted. Here they are seen at once and served a little per turn, and each one's wait is known.
 */
export class Admission {
  #queue: (Queued | undefined)[] = [];
  #next = 0;
  #servedAt: number;
  #hasAccepted = false;
  /** Callbacks of this turn that are still to come. */
  #left = 0;
  #until: number | undefined;
  #longestWaitMs = 0;

  constructor(
    /** More than a few are connected. */
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
    this.#queue.push({ since: this.now(), serve: () => waiting.serve(), refuse: () => waiting.refuse() });
    // Who comes while a turn serves is called in the next one.
    if (this.#until === undefined && this.#left < maxPerTurn) this.#call();
  }

  /** How long one that was called since the last look had waited, at most. */
  longestWait(): number {
    const longest = this.#longestWaitMs;
    this.#longestWaitMs = 0;
    return longest;
  }

  /** A connection was accepted: there may be more behind it. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** One callback each: what a request does at once is done when the next one is called, and so its time is seen. */
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

  /** When the turn that begins now has served enough. */
  #endOf(now: number): number {
    const otherwiseMs = now - this.#servedAt;
    const mayAccept = this.#hasAccepted && otherwiseMs < maxAcceptingMs;
    this.#hasAccepted = false;
    return mayAccept ? now : now + Math.min(Math.max(minPerTurnMs, otherwiseMs), maxPerTurnMs);
  }

  #settle(now: number): void {
    const request = this.#queue[this.#next];
    // What is settled is held no longer.
    this.#queue[this.#next++] = undefined;
    if (request === undefined) return;
    const waitedMs = now - request.since;
    if (waitedMs > this.#longestWaitMs) this.#longestWaitMs = waitedMs;
    if (mayStillBeServed(waitedMs, this.isCrowded())) request.serve();
    else request.refuse();
    this.#servedAt = this.now();
    if (this.size === 0 || this.#next > maxPerTurn) this.#forget();
  }

  #forget(): void {
    this.#queue = this.#queue.slice(this.#next);
    this.#next = 0;
  }
}
