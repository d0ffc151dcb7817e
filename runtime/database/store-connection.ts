import type { Perspective } from '../../contracts/perspective.js';
import type { BatchOutcome } from '../migrations/batch.js';
import { type Database, openDatabase } from './database.js';

/** The database under a store: what runs all the time, and what may change its schema. */
export interface StoreConnection {
  readonly database: Database;
  /** Lends a connection of the owner for as long as the body takes. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
  /** Where other threads find the owner's database too; unknown behind connections that were given. */
  readonly ownerUrl?: string;
  /** Brings their tables up to date, with a row in the ledger for each; absent where a host has done so already. */
  readonly migratePerspectives?: (perspectives: readonly Perspective<unknown>[]) => Promise<BatchOutcome>;
}

export const ownerAt = (ownerUrl: string): Pick<StoreConnection, 'asOwner' | 'ownerUrl'> => ({
  ownerUrl,
  asOwner: async (body) => {
    const owner = openOwner(ownerUrl, 'svc-owner');
    try {
      return await body(owner);
    } finally {
      await owner.close();
    }
  },
});

/** A single connection, for what takes long. */
export const openOwner = (url: string, applicationName: string): Database =>
  openDatabase({ url, connections: 1, statementTimeoutMs: 600_000, applicationName });
