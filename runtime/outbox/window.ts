import type { Long } from '../../contracts/scalars.js';
import type { PendingMessage } from './outbox.js';
import { type Entry, StreamQueue } from './stream-queue.js';

/** The part of the log that is being published; the cursor may advance as far as everything is settled. */
export class OutboxWindow {
  /** In order of position. */
  readonly #unsettled = new Map<Long, Entry>();
  readonly #queues = new Map<string, StreamQueue>();
  /** Queues with a message that may be sent, now or later. */
  readonly #open = new Set<StreamQueue>();
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
    return Math.min(...[...this.#open].map(({ isRetrying, dueAt }) => (isRetrying ? dueAt : Infinity)));
  }

  add(page: readonly PendingMessage[], to: Long, now: number): void {
    this.#readTo = to;
    for (const message of page) {
      const { streamId } = message.envelope;
      const queue = this.#queues.get(streamId) ?? new StreamQueue();
      this.#queues.set(streamId, queue);
      this.#unsettled.set(message.position, queue.add(message, now));
      this.#reopen(queue);
    }
  }

  /** Up to `max` messages that may be published now, with at most `perStream` of one stream in flight. */
  take(now: number, max: number, perStream = 1): Entry[] {
    const batch: Entry[] = [];
    for (const queue of this.#open) {
      let entry: Entry | undefined;
      while (batch.length < max && (entry = queue.take(now, perStream)) !== undefined) batch.push(entry);
      if (batch.length >= max) break;
      // One with as many in flight as it may have is opened again when one of these is settled.
      if (queue.dueAt <= now || queue.dueAt === Number.POSITIVE_INFINITY) this.#open.delete(queue);
    }
    return batch;
  }

  /** Published, skipped or dead. */
  settle(entry: Entry): void {
    const { position, envelope } = entry.message;
    this.#unsettled.delete(position);
    entry.queue.settle(entry);
    this.#reopen(entry.queue);
    if (entry.queue.isEmpty) this.#queues.delete(envelope.streamId);
  }

  /** It keeps its position before the unsent messages of its stream. */
  retry(entry: Entry, attempts: number, dueAt: number): void {
    entry.queue.retry(entry, attempts, dueAt);
    this.#reopen(entry.queue);
  }

  #reopen(queue: StreamQueue): void {
    if (queue.dueAt < Number.POSITIVE_INFINITY) this.#open.add(queue);
    else this.#open.delete(queue);
  }
}
