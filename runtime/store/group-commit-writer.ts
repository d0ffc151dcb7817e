import { Problem } from '../../contracts/problems.js';
import type { WeightOf } from '../lang/tenant-weights.js';
import { CommitQueue } from './commit-queue.js';
import type { EncodedUnit } from './encode-unit.js';
import type { UnitAnswer } from './flush-call.js';
import { FlushSender, type WriterPorts } from './flush-sender.js';

export interface WriterLimits {
  /** The queue limit; a unit beyond it is rejected with `overloaded`. */
  readonly waiting?: number;
  readonly unitsPerFlush?: number;
  readonly bytesPerFlush?: number;
  /** Connections: while one flush is in flight, the next is being prepared. */
  readonly connections?: number;
  readonly weightOf?: WeightOf | undefined;
}

interface SenderSlot {
  readonly sender: FlushSender;
  running: Promise<void> | undefined;
  /** A flush is in flight; until then the connection still takes waiting units. */
  sending: boolean;
  /** Of tenants that have few units alone. */
  onlyFew: boolean;
}

/** A smaller flush is not worth a second connection. */
const minUnitsPerFlush = 16;

/** Group commit: sends all waiting units as one call, and continues as soon as the result arrives. */
export class GroupCommitWriter {
  readonly #queue: CommitQueue;
  readonly #slots: readonly SenderSlot[];
  #closing = false;

  constructor(ports: WriterPorts, limits: WriterLimits = {}) {
    this.#queue = new CommitQueue(
      limits.waiting ?? 4096,
      limits.unitsPerFlush ?? 256,
      limits.bytesPerFlush ?? 4 << 20,
      limits.weightOf,
    );
    this.#slots = Array.from({ length: limits.connections ?? 2 }, () => ({
      sender: new FlushSender(ports, (problem) => this.#queue.refuseAll(problem)),
      running: undefined,
      sending: false,
      onlyFew: false,
    }));
  }

  /** Units waiting for their flush. */
  get depth(): number {
    return this.#queue.length;
  }

  commit(unit: EncodedUnit, signal?: AbortSignal): Promise<UnitAnswer> {
    if (this.#closing) return Promise.reject(new Problem('draining', { retryAfter: 1 }));
    const answer = this.#queue.add(unit, signal);
    this.#wake();
    return answer;
  }

  /** Finishes waiting units, then releases the connections. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const { sender } of this.#slots) sender.stopRetrying();
    while (this.#slots.some(({ running }) => running !== undefined)) {
      await Promise.all(this.#slots.map(async ({ running }) => running));
    }
    for (const { sender } of this.#slots) sender.dropConnection();
  }

  /** One sender at a time takes from the queue; too few units for a second one wait for the first. */
  #wake(): void {
    if (
      this.#queue.length === 0 ||
      this.#slots.some(({ running, sending }) => running !== undefined && !sending)
    )
      return;
    const isFirst = this.#slots.every(({ running }) => running === undefined);
    if (!isFirst && this.#queue.length < minUnitsPerFlush && !this.#queue.isUneven) return;
    const free = this.#slots.find(({ running }) => running === undefined);
    if (free !== undefined) free.running = this.#run(free);
  }

  async #run(slot: SenderSlot): Promise<void> {
    while (this.#queue.length > 0) {
      // Everything committed in this turn of the event loop shares the flush.
      await new Promise(setImmediate);
      const free = this.#slots.filter(({ sending }) => !sending).length;
      // Tenants that have few units wait for one flush of those that have many, not for two.
      slot.onlyFew = this.#queue.isUneven && this.#slots.some(({ sending, onlyFew }) => sending && !onlyFew);
      const atMost = Math.max(minUnitsPerFlush, Math.ceil(this.#queue.length / free));
      const batch = this.#queue.nextFlush(atMost, slot.onlyFew);
      if (batch.length === 0) break;
      slot.sending = true;
      if (this.#queue.length > 0) this.#wake();
      await slot.sender.deliver(batch);
      slot.sending = false;
    }
    slot.running = undefined;
  }
}
