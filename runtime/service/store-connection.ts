import type { Perspective } from '../../contracts/perspective.js';
import type { Database } from '../database/database.js';
import type { OwnerAccess } from '../database/owner.js';
import type { BatchOutcome } from '../migrations/batch.js';

/** The database under a store: what runs all the time, and what may change its schema. */
export interface StoreConnection extends OwnerAccess {
  readonly database: Database;
  /** Brings their tables up to date, with a row in the ledger for each; absent where a host has done so already. */
  readonly migratePerspectives?: (perspectives: readonly Perspective<unknown>[]) => Promise<BatchOutcome>;
}
