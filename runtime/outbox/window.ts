import type { Long } from '../../contracts/scalars.js';
import type { PendingMessage } from './outbox.js';
import { type Entry, StreamQueue } from './stream-queue.js';

/** The part of the log that is being published; the cursor may advance as far as everything is settled. */
export class OutboxWindow {
  /** In order of position. */
  readonly #unsettled = new Map<Long, Entry>();
  readonly #queues = new Map<string, StreamQueue>();
  /** Queues with a message that may be sent now, and those with one that may be sent later. */
  readonly #ready = new Set<StreamQueue>();
  readonly #waiting = new Set<StreamQueue>();
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
      const { streamId } = message.envelope;
      const queue = this.#queues.get(streamId) ?? new StreamQueue();
      this.#queues.set(streamId, queue);
      this.#unsettled.set(message.position, queue.add(message, now));
      this.#schedule(queue, now);
    }
  }

  /** Up to `max` messages that may be published now, with at most `perStream` of one stream in flight. */
  take(now: number, max: number, perStream = 1): Entry[] {
    for (const queue of this.#waiting) if (queue.dueAt <= now) this.#schedule(queue, now);
    const batch: Entry[] = [];
    for (const queue of this.#ready) {
      while (batch.length < max) {
        const entry = queue.take(now, perStream);
        if (entry === undefined) break;
        batch.push(entry);
      }
      if (batch.length >= max) break;
      this.#ready.delete(queue);
    }
    return batch;
  }

  /** Published, skipped or dead. */
  settle(entry: Entry, now: number): void {
    const { position, envelope } = entry.message;
    this.#unsettled.delete(position);
    entry.queue.settle(entry);
    this.#schedule(entry.queue, now);
    if (entry.queue.isEmpty) this.#queues.delete(envelope.streamId);
  }

  /** It keeps its position before the unsent messages of its stream. */
  retry(entry: Entry, attempts: number, dueAt: number): void {
    entry.queue.retry(entry, attempts, dueAt);
    this.#ready.delete(entry.queue);
    if (entry.queue.dueAt < Number.POSITIVE_INFINITY) this.#waiting.add(entry.queue);
  }

  #schedule(queue: StreamQueue, now: number): void {
    const { dueAt } = queue;
    if (dueAt <= now) this.#ready.add(queue);
    else this.#ready.delete(queue);
    if (dueAt > now && dueAt < Number.POSITIVE_INFINITY) this.#waiting.add(queue);
    else this.#waiting.delete(queue);
  }
}
