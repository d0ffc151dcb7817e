import { type Database, openDatabase } from './database.js';

/** Where what changes the schema finds the database. */
export interface OwnerAccess {
  /** Lends a connection of the owner for as long as the body takes. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
  /** Where other threads find the owner's database too; unknown behind connections that were given. */
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

/** A single connection, for what takes long. */
export const openOwner = (url: string, applicationName: string): Database =>
  openDatabase({ url, connections: 1, statementTimeoutMs: 600_000, applicationName });
