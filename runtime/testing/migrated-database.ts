import { openDatabase, type Database } from '../database/database.js';
import { migrate } from '../migrations/migrate.js';
import { openPostgresStore, type PostgresStore } from '../store/postgres-event-store.js';
import { withDatabase } from './database.js';

/** A database with our schema in it, and as many hosts on it as are asked for. */
export interface MigratedDatabase {
  readonly url: string;
  /** Another pool, as another process would have it; closed afterwards. */
  readonly connect: (options?: { readonly applicationName?: string; readonly owner?: boolean }) => Database;
  /** A store on a pool of its own; closed afterwards. */
  readonly openStore: (host?: string) => PostgresStore;
}

/** Lends a new, empty database with our schema in it. */
export function withMigratedDatabase<T>(body: (database: MigratedDatabase) => Promise<T>): Promise<T> {
  return withDatabase(async (url) => {
    const { role } = await migrate({ ownerUrl: url });
    const closes: (() => Promise<void>)[] = [];
    const connect: MigratedDatabase['connect'] = ({ applicationName = 'svc-test', owner = false } = {}) => {
      const database = openDatabase({
        url,
        applicationName,
        ...(role === undefined || owner ? {} : { role }),
      });
      closes.push(() => database.close());
      return database;
    };
    const openStore: MigratedDatabase['openStore'] = (host = 'test') => {
      const store = openPostgresStore(connect({ applicationName: host }), { host });
      closes.push(() => store.close());
      return store;
    };
    try {
      return await body({ url, connect, openStore });
    } finally {
      for (const close of closes.reverse()) await close();
    }
  });
}
