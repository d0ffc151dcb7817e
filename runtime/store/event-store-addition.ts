import type { Pool } from 'pg';
import type { UnitStore } from '../../contracts/unit.js';
import { openDatabase, overPool } from '../database/database.js';
import { migrate, migrateOver } from '../migrations/migrate.js';
import type { Addition } from '../service.js';
import { openPostgresStore, type PostgresStore } from './postgres-event-store.js';

/** Registers a store that is open already. */
export const eventStore =
  (store: UnitStore): Addition =>
  (parts) => {
    parts.unitStore = store;
    parts.eventStore = store;
  };

export type PostgresSource = { readonly url: string } | { readonly pool: Pool };

/** Registers a PostgreSQL event store; its schema is brought up to date when it is first used. */
export const postgresEventStore =
  (source: PostgresSource, host = 'local'): Addition =>
  (parts) => {
    let opening: Promise<PostgresStore> | undefined;
    const open = () => (opening ??= openFrom(source, host));
    parts.stops.push(async () => {
      if (opening !== undefined) await (await opening).close();
    });
    eventStore(whenOpen(open))(parts);
  };

async function openFrom(source: PostgresSource, host: string): Promise<PostgresStore> {
  if ('pool' in source) {
    const database = overPool(source.pool);
    await migrateOver(database);
    return openPostgresStore(database, { host });
  }
  const { role } = await migrate({ ownerUrl: source.url });
  const database = openDatabase({ url: source.url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host });
  return {
    ...store,
    get depth() {
      return store.depth;
    },
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}

function whenOpen(open: () => Promise<UnitStore>): UnitStore {
  return {
    commit: async (unit, signal) => (await open()).commit(unit, signal),
    append: async (...args) => (await open()).append(...args),
    lastPosition: async (streamId) => (await open()).lastPosition(streamId),
    async *read(...args) {
      yield* (await open()).read(...args);
    },
    async *readAll(query) {
      yield* (await open()).readAll(query);
    },
  };
}
