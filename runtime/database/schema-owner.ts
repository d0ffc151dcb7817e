import { type Database, openDatabase } from './database.js';

/** Access to the database for schema changes. */
export interface OwnerAccess {
  /** Provides a connection of the owner while the body runs. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
  /** For other threads; unknown when the service provided its own connections. */
  readonly ownerUrl?: string;
}

export const ownerAt = (ownerUrl: string): OwnerAccess => ({
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

/** A single connection without a statement timeout for long work. */
export const openOwner = (url: string, applicationName: string): Database =>
  openDatabase({ url, connections: 1, statementTimeoutMs: 600_000, applicationName });
