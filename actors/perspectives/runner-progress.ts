import type { Long } from '../../contracts/scalars.js';
import type { StoredModel } from '../../runtime/perspectives/fold.js';

/** What a runner knows of its perspective; valid until another host moves the cursor. */
export interface RunnerProgress {
  position: Long;
  head: Long;
  readonly parked: Set<string>;
  /** Parked keys that lack earlier events of another store; folded again when one of their events arrives. */
  readonly waiting: Set<string>;
  /** Rows as last written; null = no row. */
  readonly models: Map<string, StoredModel | null>;
  /** Whether the state was read since the lease was acquired. */
  isLoaded: boolean;
  /** The store's change counter when the state was read. */
  changes?: number | undefined;
  /** Whether this host has retried the keys that were parked before it started. */
  parkedRetried: 'not yet' | 'partly' | 'all';
  /** The keys that were retried. */
  readonly retriedKeys: Set<string>;
  /** The size of the next page. */
  pageLimit: number;
  /** Settles with the current round. */
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
