import { type Database, openDatabase } from './database.js';

/** The database under a store: what runs all the time, and what may change its schema. */
export interface StoreConnection {
  readonly database: Database;
  /** Lends a connection of the owner for as long as the body takes. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
}

export const ownerAt =
  (url: string): StoreConnection['asOwner'] =>
  async (body) => {
    const owner = openDatabase({
      url,
      connections: 1,
      statementTimeoutMs: 600_000,
      applicationName: 'svc-owner',
    });
    try {
      return await body(owner);
    } finally {
      await owner.close();
    }
  };
