import { Problem } from '../../contracts/problems.js';
import { hasAborted, onAbort, Withdrawn } from '../lang/cancellation.js';
import { sameWeight, type WeightOf } from '../lang/tenant-weights.js';
import type { EncodedUnit } from './encode-unit.js';
import type { UnitAnswer } from './flush-call.js';
import { inTurns } from './in-turns.js';

/** A unit and the caller that waits for its outcome. */
export interface PendingUnit {
  readonly unit: EncodedUnit;
  settle(answer: UnitAnswer): void;
  refuse(problem: Problem): void;
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
