import type { PendingMessage } from './outbox.js';

/** A message of the log, on its way. */
export interface Entry {
  readonly message: PendingMessage;
  readonly queue: StreamQueue;
  attempts: number;
  dueAt: number;
  state: 'waiting' | 'in-flight' | 'settled';
  /** It was sent and came back, here or at another relay. */
  isRetry: boolean;
}

/**
 * The messages of one stream in their order. Several may be on their way at once, but nothing is sent behind
 * one that has come back: until it is settled, the stream goes one at a time from its oldest message on.
 */
export class StreamQueue {
  #entries: Entry[] = [];
  /** Everything before is settled. */
  #oldest = 0;
  /** Nothing from here on was ever taken. */
  #next = 0;
  #inFlight = 0;
  #retries = 0;

  get isEmpty(): boolean {
    return this.#oldest === this.#entries.length;
  }

  /** When a message may go; never, while all that may go is on its way. */
  get dueAt(): number {
    const entry = this.#candidate;
    return entry === undefined ? Number.POSITIVE_INFINITY : entry.dueAt;
  }

  add(message: PendingMessage, now: number): Entry {
    const { attempts, dueInMs } = message;
    const isRetry = attempts > 0;
    if (isRetry) this.#retries++;
    const entry: Entry = { message, queue: this, attempts, dueAt: now + dueInMs, state: 'waiting', isRetry };
    this.#entries.push(entry);
    return entry;
  }

  /** The next message that may go while so many of the stream are allowed on their way. */
  take(now: number, max: number): Entry | undefined {
    const entry = this.#candidate;
    if (entry === undefined || entry.dueAt > now || this.#inFlight >= max) return undefined;
    if (entry === this.#entries[this.#next]) this.#next++;
    entry.state = 'in-flight';
    this.#inFlight++;
    return entry;
  }

  settle(entry: Entry): void {
    this.#inFlight--;
    if (entry.isRetry) this.#retries--;
    entry.state = 'settled';
    while (this.#entries[this.#oldest]?.state === 'settled') this.#oldest++;
    this.#next = Math.max(this.#next, this.#oldest);
    this.#compact();
  }

  retry(entry: Entry, attempts: number, dueAt: number): void {
    this.#inFlight--;
    if (!entry.isRetry) this.#retries++;
    Object.assign(entry, { attempts, dueAt, state: 'waiting', isRetry: true });
  }

  get #candidate(): Entry | undefined {
    if (this.#retries === 0) return this.#entries[this.#next];
    return this.#inFlight === 0 ? this.#entries[this.#oldest] : undefined;
  }

  #compact(): void {
    if (this.#oldest < 64 || this.#oldest * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#oldest);
    this.#next -= this.#oldest;
    this.#oldest = 0;
  }
}
