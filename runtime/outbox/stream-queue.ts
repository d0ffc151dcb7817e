import type { PendingMessage } from './outbox.js';

/** A message of the log that is being published. */
export interface Entry {
  readonly message: PendingMessage;
  readonly queue: StreamQueue;
  attempts: number;
  dueAt: number;
  state: 'waiting' | 'in-flight' | 'settled';
  /** An earlier attempt failed, here or at another relay. */
  isRetry: boolean;
}

/**
 * The messages of one stream, in order. Several may be in flight at once, but nothing is sent after a message that is
 * to be retried: until it is settled, the stream is sent one message at a time, oldest first.
 */
export class StreamQueue {
  #entries: Entry[] = [];
  /** The first entry that is not settled. */
  #oldest = 0;
  /** The first entry that was never sent. */
  #next = 0;
  #inFlight = 0;
  #retries = 0;

  get isEmpty(): boolean {
    return this.#oldest === this.#entries.length;
  }

  get isRetrying(): boolean {
    return this.#retries > 0;
  }

  /** When the next message may be sent; infinity while everything that may be sent is in flight. */
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

  /** The next message to send, if fewer than `max` of this stream are in flight. */
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
