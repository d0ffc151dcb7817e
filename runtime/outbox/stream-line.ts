import type { PendingMessage } from './outbox.js';

/** A message of the log, on its way. */
export interface Entry {
  readonly message: PendingMessage;
  readonly line: StreamLine;
  attempts: number;
  dueAt: number;
  state: 'waiting' | 'flying' | 'settled';
  /** It was sent and came back, here or at another relay. */
  cameBack: boolean;
}

/**
 * The messages of one stream in their order. Several may be on their way at once, but nothing is sent behind
 * one that has come back: until it is settled, the stream goes one at a time from its oldest message on.
 */
export class StreamLine {
  #entries: Entry[] = [];
  /** Everything before is settled. */
  #oldest = 0;
  /** Nothing from here on was ever taken. */
  #next = 0;
  #flying = 0;
  #cameBack = 0;

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
    const cameBack = attempts > 0;
    if (cameBack) this.#cameBack++;
    const entry: Entry = { message, line: this, attempts, dueAt: now + dueInMs, state: 'waiting', cameBack };
    this.#entries.push(entry);
    return entry;
  }

  /** The next message that may go while so many of the stream are allowed on their way. */
  take(now: number, most: number): Entry | undefined {
    const entry = this.#candidate;
    if (entry === undefined || entry.dueAt > now || this.#flying >= most) return undefined;
    if (entry === this.#entries[this.#next]) this.#next++;
    entry.state = 'flying';
    this.#flying++;
    return entry;
  }

  settle(entry: Entry): void {
    this.#flying--;
    if (entry.cameBack) this.#cameBack--;
    entry.state = 'settled';
    while (this.#entries[this.#oldest]?.state === 'settled') this.#oldest++;
    this.#next = Math.max(this.#next, this.#oldest);
    this.#shorten();
  }

  retry(entry: Entry, attempts: number, dueAt: number): void {
    this.#flying--;
    if (!entry.cameBack) this.#cameBack++;
    Object.assign(entry, { attempts, dueAt, state: 'waiting', cameBack: true });
  }

  get #candidate(): Entry | undefined {
    if (this.#cameBack === 0) return this.#entries[this.#next];
    return this.#flying === 0 ? this.#entries[this.#oldest] : undefined;
  }

  #shorten(): void {
    if (this.#oldest < 64 || this.#oldest * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#oldest);
    this.#next -= this.#oldest;
    this.#oldest = 0;
  }
}
