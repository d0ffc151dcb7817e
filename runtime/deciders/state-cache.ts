import type { AnyDecider } from '../../contracts/decider.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import { Lru } from '../lang/lru.js';
import type { HeldState } from './evolve.js';
import { sizeOf } from '../lang/plain-state.js';

/** A cached state. */
export interface KnownState {
  readonly held: HeldState;
  /** Whether nothing speaks against its being the newest one; the commit decides. */
  readonly isSure: boolean;
}

interface Entry extends KnownState {
  readonly size: number;
  readonly measuredAt: Long;
}

export interface CacheLimits {
  readonly maxStreams: number;
  readonly maxCharacters: number;
}

const defaultLimits: CacheLimits = { maxStreams: 10_000, maxCharacters: 64 * 1024 * 1024 };
/** A state is measured again after this many events. */
const measuredEvery = 16;

/** The states of the streams that were used last. */
export class StateCache {
  /** How often subjects have been forgotten. */
  forgets = 0;
  #states: Lru<Entry>;

  constructor(private readonly limits: CacheLimits = defaultLimits) {
    this.#states = this.#empty();
  }

  get size(): number {
    return this.#states.size;
  }

  get(decider: AnyDecider, streamId: Uuid): KnownState | undefined {
    return this.#states.get(keyOf(decider, streamId));
  }

  /** Never replaces a newer state, and never takes one that was read before a subject was forgotten. */
  put(decider: AnyDecider, streamId: Uuid, held: HeldState, isSure: boolean): void {
    const key = keyOf(decider, streamId);
    const known = this.#states.get(key);
    if (known !== undefined && known.held.position > held.position) return;
    if (held.isSealed && held.forgets !== this.forgets) return this.#states.delete(key);
    const isMeasured = known !== undefined && held.position - known.measuredAt < measuredEvery;
    const measuredAt = isMeasured ? known.measuredAt : held.position;
    const size = isMeasured ? known.size : sizeOf(held.state);
    if (size === Infinity) this.#states.delete(key);
    else this.#states.set(key, { held, isSure, size, measuredAt }, size + key.length);
  }

  /** The stream may have moved on. */
  doubt(decider: AnyDecider, streamId: Uuid): void {
    const key = keyOf(decider, streamId);
    const known = this.#states.get(key);
    if (known?.isSure === true) this.#states.set(key, { ...known, isSure: false }, known.size + key.length);
  }

  drop(decider: AnyDecider, streamId: Uuid): void {
    this.#states.delete(keyOf(decider, streamId));
  }

  /** A subject was forgotten. */
  dropSealed(): void {
    this.forgets++;
    for (const [key, { held }] of [...this.#states.entries()]) if (held.isSealed) this.#states.delete(key);
  }

  clear(): void {
    this.#states = this.#empty();
  }

  #empty(): Lru<Entry> {
    return new Lru(this.limits.maxStreams, this.limits.maxCharacters);
  }
}

const keyOf = ({ name, version }: AnyDecider, streamId: Uuid): string => `${name} ${version} ${streamId}`;
