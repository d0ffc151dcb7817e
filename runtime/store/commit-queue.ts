import { Problem } from '../../contracts/problems.js';
import { hasAborted, onAbort, Withdrawn } from '../lang/cancellation.js';
import { Several } from '../lang/several.js';
import { sameWeight, type WeightOf } from '../lang/tenant-weights.js';
import type { EncodedUnit } from './encode-unit.js';
import type { UnitAnswer } from './flush-call.js';
import type { PendingUnit } from './flush-sender.js';
import { byTenant, inTurns } from './in-turns.js';

type Settle<T> = (value: T) => void;

class Entry implements PendingUnit {
  /** Taken into a flush: its point of no return. */
  isInFlush = false;
  forget: (() => void) | undefined;

  constructor(
    readonly unit: EncodedUnit,
    private readonly resolve: Settle<UnitAnswer>,
    private readonly reject: Settle<unknown>,
  ) {}

  settle(answer: UnitAnswer): void {
    this.forget?.();
    this.resolve(answer);
  }

  refuse(reason: unknown): void {
    this.forget?.();
    this.reject(reason);
  }
}

/** How long a caller whose deadline passed during COMMIT still waits for the outcome. */
export const graceMs = 5_000;

/** So many units of one tenant a flush takes beside tenants that have few: these wait for it to end. */
const many = 32;
const few = 4;
/** So long a tenant that has few is expected to come again. */
const rememberedMs = 10_000;

/** Units in order of arrival. */
export class CommitQueue {
  #entries: Entry[] = [];
  readonly #several = new Several();
  #unevenUntil = -Infinity;

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
      const entry = new Entry(unit, resolve, reject);
      if (signal !== undefined) entry.forget = onAbort(signal, () => this.#abort(entry, signal));
      this.#several.seen(unit.tenant);
      this.#entries.push(entry);
    });
  }

  /** Whether one tenant has many units, and others, which should not wait for them, have few. */
  get isUneven(): boolean {
    return this.#unevenUntil > performance.now();
  }

  /** Takes as many units as fit into one flush; `onlyFew`: those of tenants that have few. */
  nextFlush(atMost = this.unitsPerFlush, onlyFew = false): readonly PendingUnit[] {
    const fitting = Math.min(atMost, this.unitsPerFlush);
    const limit = this.#several.isNow ? this.#takeTurns(fitting, onlyFew) : fitting;
    let bytes = 0;
    let count = 0;
    for (const entry of this.#entries) {
      bytes += entry.unit.bytes;
      if (count === limit || (count > 0 && bytes > this.bytesPerFlush)) break;
      entry.isInFlush = true;
      count++;
    }
    return this.#entries.splice(0, count);
  }

  /** Brings those to the front whose turn it is, and returns how many they are. */
  #takeTurns(count: number, onlyFew: boolean): number {
    const shares = [...byTenant(this.#entries, tenantOf)].map(([tenant, entries]) => ({
      tenant,
      share: entries.length / this.weightOf(tenant),
    }));
    // What has no tenant is often the service itself: it slows no tenant down.
    const hasFew = shares.some(({ tenant, share }) => tenant !== undefined && share <= few);
    if (hasFew && shares.some(({ share }) => share > many))
      this.#unevenUntil = performance.now() + rememberedMs;
    const limits = { count, each: this.isUneven ? many : Infinity, few: onlyFew ? few : undefined };
    const { taken, rest } = inTurns(this.#entries, limits, tenantOf, this.weightOf);
    this.#entries = [...taken, ...rest];
    return taken.length;
  }

  refuseAll(problem: Problem): void {
    for (const entry of this.#entries.splice(0)) entry.refuse(problem);
  }

  #abort(entry: Entry, signal: AbortSignal): void {
    if (!entry.isInFlush) {
      this.#entries = this.#entries.filter((other) => other !== entry);
      entry.refuse(reasonOf(signal));
      return;
    }
    if (signal.reason instanceof Withdrawn) return;
    setTimeout(() => {
      entry.refuse(new Problem('outcome-unknown', { extensions: { committed: 'unknown' }, retryAfter: 1 }));
    }, graceMs).unref();
  }
}

const tenantOf = ({ unit }: Entry): string | undefined => unit.tenant;

const reasonOf = (signal: AbortSignal): unknown => signal.reason;
