import { Problem } from '../../contracts/problems.js';
import { hasAborted, onAbort, Withdrawn } from '../lang/cancellation.js';
import { sameWeight, type WeightOf } from '../lang/tenant-weights.js';
import type { EncodedUnit } from './encode-unit.js';
import type { UnitAnswer } from './flush-call.js';
import { FlushSender, type PendingUnit, type WriterPorts } from './flush-sender.js';
import { inTurns } from './in-turns.js';

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
    if (!isFirst && this.#queue.length < minUnitsPerFlush) return;
    const free = this.#slots.find(({ running }) => running === undefined);
    if (free !== undefined) free.running = this.#run(free);
  }

  async #run(slot: SenderSlot): Promise<void> {
    while (this.#queue.length > 0) {
      // Everything committed in this turn of the event loop shares the flush.
      await new Promise(setImmediate);
      const free = this.#slots.filter(({ sending }) => !sending).length;
      const batch = this.#queue.seal(Math.max(minUnitsPerFlush, Math.ceil(this.#queue.length / free)));
      if (batch.length === 0) break;
      slot.sending = true;
      if (this.#queue.length > 0) this.#wake();
      await slot.sender.deliver(batch);
      slot.sending = false;
    }
    slot.running = undefined;
  }
}

interface Entry extends PendingUnit {
  sealed: boolean;
}

/** How long a caller whose deadline passed during COMMIT still waits for the outcome. */
export const graceMs = 5_000;

/** Units in order of arrival. Sealing one into a flush is its point of no return. */
export class CommitQueue {
  #entries: Entry[] = [];

  constructor(
    private readonly limit: number,
    private readonly unitsPerFlush: number,
    private readonly bytesPerFlush: number,
    private readonly weightOf: WeightOf = sameWeight,
  ) {}

  get length(): number {
    return this.#entries.length;
  }

  add(unit: EncodedUnit, signal?: AbortSignal): Promise<UnitAnswer> {
    if (signal !== undefined && hasAborted(signal)) return Promise.reject(reasonOf(signal));
    if (this.#entries.length >= this.limit) {
      return Promise.reject(
        new Problem('overloaded', { detail: `${this.limit} commits are waiting.`, retryAfter: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      let forget = (): void => undefined;
      const entry: Entry = {
        unit,
        sealed: false,
        settle: (answer) => {
          forget();
          resolve(answer);
        },
        refuse: (problem) => {
          forget();
          reject(problem);
        },
      };
      if (signal !== undefined) forget = onAbort(signal, () => this.#abort(entry, signal, reject));
      this.#entries.push(entry);
    });
  }

  /** Takes as many units as fit into one flush. */
  seal(atMost = this.unitsPerFlush): readonly PendingUnit[] {
    const limit = Math.min(atMost, this.unitsPerFlush);
    // What fits into one flush needs no turns.
    if (this.#entries.length > this.unitsPerFlush)
      this.#entries = [...inTurns(this.#entries, limit, ({ unit }) => unit.tenant, this.weightOf)];
    let bytes = 0;
    let count = 0;
    for (const entry of this.#entries) {
      bytes += entry.unit.bytes;
      if (count === limit || (count > 0 && bytes > this.bytesPerFlush)) break;
      entry.sealed = true;
      count++;
    }
    return this.#entries.splice(0, count);
  }

  refuseAll(problem: Problem): void {
    for (const entry of this.#entries.splice(0)) entry.refuse(problem);
  }

  #abort(entry: Entry, signal: AbortSignal, reject: (error: unknown) => void): void {
    if (!entry.sealed) {
      this.#entries = this.#entries.filter((other) => other !== entry);
      reject(reasonOf(signal));
      return;
    }
    if (signal.reason instanceof Withdrawn) return;
    setTimeout(() => {
      reject(new Problem('outcome-unknown', { extensions: { committed: 'unknown' }, retryAfter: 1 }));
    }, graceMs).unref();
  }
}

const reasonOf = (signal: AbortSignal): unknown => signal.reason;
