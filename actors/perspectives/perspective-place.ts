import type { Long } from '../../contracts/scalars.js';
import type { KeptModel } from '../../runtime/perspectives/fold.js';

/** What a runner knows of its perspective; good for as long as nobody else moves the cursor. */
export interface Place {
  position: Long;
  head: Long;
  readonly parked: Set<string>;
  /** Of those: which lack earlier events of another store, and are folded again when one of their events comes. */
  readonly waiting: Set<string>;
  /** Rows as they were written last; null = there is none. */
  readonly models: Map<string, KeptModel | null>;
  /** Read from the store since the lease was taken. */
  isKnown: boolean;
  /** Of the store, when it was read. */
  changes?: number | undefined;
  /** Whether what was parked before this host came has been tried once more. */
  isTried: 'not yet' | 'partly' | 'all';
  /** Those that have been. */
  readonly tried: Set<string>;
  /** How many events the next page may have. */
  limit: number;
  /** Settles with the round that is under way. */
  busy: Promise<unknown>;
}

export const unknownPlace = (): Place => ({
  position: 0,
  head: 0,
  parked: new Set(),
  waiting: new Set(),
  models: new Map(),
  isKnown: false,
  isTried: 'not yet',
  tried: new Set(),
  limit: Infinity,
  busy: Promise.resolve(),
});
