import type { Long } from '../../contracts/scalars.js';
import type { PendingMessage } from './outbox.js';

/** A message in the window, and the one behind it in its stream. */
export interface Entry {
  readonly message: PendingMessage;
  attempts: number;
  dueAt: number;
  behind: Entry | undefined;
}

/**
 * The part of the log that is being published. Of every stream only the oldest message may be taken;
 * the cursor may go as far as everything is settled.
 */
export class OutboxWindow {
  /** In order of position. */
  readonly #unsettled = new Map<Long, Entry>();
  /** The newest message of every stream that has one. */
  readonly #last = new Map<string, Entry>();
  #ready: Entry[] = [];
  readonly #waiting = new Set<Entry>();
  #readTo: Long;

  constructor(position: Long) {
    this.#readTo = position;
  }

  get readTo(): Long {
    return this.#readTo;
  }

  get size(): number {
    return this.#unsettled.size;
  }

  /** Everything up to here is settled. */
  get settledTo(): Long {
    for (const position of this.#unsettled.keys()) return position - 1;
    return this.#readTo;
  }

  /** When the earliest retry is due. */
  get nextDueAt(): number {
    return Math.min(...[...this.#waiting].map(({ dueAt }) => dueAt));
  }

  add(page: readonly PendingMessage[], to: Long, now: number): void {
    this.#readTo = to;
    for (const message of page) {
      const entry: Entry = {
        message,
        attempts: message.attempts,
        dueAt: now + message.dueInMs,
        behind: undefined,
      };
      const { streamId } = message.envelope;
      const before = this.#last.get(streamId);
      this.#unsettled.set(message.position, entry);
      this.#last.set(streamId, entry);
      if (before === undefined) this.#offer(entry, now);
      else before.behind = entry;
    }
  }

  /** Up to `most` messages that may be published now, at most one of a stream. */
  take(now: number, most: number): Entry[] {
    for (const entry of this.#waiting) {
      if (entry.dueAt > now) continue;
      this.#waiting.delete(entry);
      this.#ready.push(entry);
    }
    return this.#ready.splice(0, Math.max(0, most));
  }

  /** Published, passed over or dead: the next of its stream may go. */
  settle(entry: Entry, now: number): void {
    const { position, envelope } = entry.message;
    this.#unsettled.delete(position);
    if (entry.behind === undefined) this.#last.delete(envelope.streamId);
    else this.#offer(entry.behind, now);
  }

  /** It keeps its place before the others of its stream. */
  retry(entry: Entry, attempts: number, dueAt: number): void {
    entry.attempts = attempts;
    entry.dueAt = dueAt;
    this.#waiting.add(entry);
  }

  #offer(entry: Entry, now: number): void {
    if (entry.dueAt > now) this.#waiting.add(entry);
    else this.#ready.push(entry);
  }
}
