import type { AnyPerspective } from '../../contracts/perspective.js';
import type { Database } from '../database/database.js';
import type { OwnerAccess } from '../database/schema-owner.js';
import type { BatchOutcome } from '../migrations/run-batch.js';

/** The database of a store: one connection for running, one that may change the schema. */
export interface StoreConnection extends OwnerAccess {
  readonly database: Database;
  /** Migrates the tables of perspectives, with a ledger row for each; absent where a host has already done so. */
  readonly migratePerspectives?: (perspectives: readonly AnyPerspective[]) => Promise<BatchOutcome>;
}
