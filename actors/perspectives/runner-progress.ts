import type { Long } from '../../contracts/scalars.js';
import type { StoredModel } from '../../runtime/perspectives/fold.js';

/** What a runner knows of its perspective; good for as long as nobody else moves the cursor. */
export interface RunnerProgress {
  position: Long;
  head: Long;
  readonly parked: Set<string>;
  /** Of those: which lack earlier events of another store, and are folded again when one of their events comes. */
  readonly waiting: Set<string>;
  /** Rows as they were written last; null = there is none. */
  readonly models: Map<string, StoredModel | null>;
  /** Read from the store since the lease was taken. */
  isLoaded: boolean;
  /** Of the store, when it was read. */
  changes?: number | undefined;
  /** Whether what was parked before this host came has been tried once more. */
  parkedRetried: 'not yet' | 'partly' | 'all';
  /** Those that have been. */
  readonly retriedKeys: Set<string>;
  /** How many events the next page may have. */
  pageLimit: number;
  /** Settles with the round that is under way. */
  round: Promise<unknown>;
}

export const unknownProgress = (): RunnerProgress => ({
  position: 0,
  head: 0,
  parked: new Set(),
  waiting: new Set(),
  models: new Map(),
  isLoaded: false,
  parkedRetried: 'not yet',
  retriedKeys: new Set(),
  pageLimit: Infinity,
  round: Promise.resolve(),
});
