import { type Database, openDatabase } from './database.js';

/** Access to the database for schema changes. */
export interface OwnerAccess {
  /** Provides a connection of the owner while the body runs. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
  /** For other threads; unknown when the service provided its own connections. */
  readonly ownerUrl?: string;
}

export const ownerAt = (ownerUrl: string, applicationName = 'svc-owner', connections = 1): OwnerAccess => ({
  ownerUrl,
  asOwner: async (body) => {
    const owner = openOwner(ownerUrl, applicationName, connections);
    try {
      return await body(owner);
    } finally {
      await owner.close();
    }
  },
});

/** Usually a single connection; its statement timeout is for long work. */
export const openOwner = (url: string, applicationName: string, connections = 1): Database =>
  openDatabase({ url, connections, statementTimeoutMs: 600_000, applicationName });
