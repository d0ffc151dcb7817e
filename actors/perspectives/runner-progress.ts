import type { Long } from '../../contracts/scalars.js';
import type { StoredModel } from '../../runtime/perspectives/fold/fold.js';

/** What a runner knows of its perspective; valid until another host moves the cursor. */
export class RunnerProgress {
  position: Long = 0;
  head: Long = 0;
  readonly parked = new Set<string>();
  /** Parked keys that lack earlier events of another store; folded again when one of their events arrives. */
  readonly waiting = new Set<string>();
  /** Rows as last written; null = no row. */
  readonly models = new Map<string, StoredModel | null>();
  /** Whether the state was read since the lease was acquired. */
  isLoaded = false;
  /** The store's change counter when the state was read. */
  changes: number | undefined;
  /** Whether this host has retried the keys that were parked before it started. */
  parkedRetried: 'not yet' | 'partly' | 'all' = 'not yet';
  /** The keys that were retried. */
  readonly retriedKeys = new Set<string>();
  /** The size of the next page. */
  pageLimit = Infinity;
  /** Settles with the current round. */
  round: Promise<unknown> = Promise.resolve();
}
