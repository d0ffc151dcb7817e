import type { Pool } from 'pg';
import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit.js';
import { type Upcaster, Upcasters } from '../../contracts/upcaster.js';
import { AuditingEventStore } from '../audit/auditing-event-store.js';
import { openDatabase, overPool } from '../database/database.js';
import { ownerAt, type StoreConnection } from '../database/store-connection.js';
import { migrate, migrateOver } from '../migrations/migrate.js';
import type { Addition } from '../service.js';
import { openPostgresStore, type PostgresStore } from './postgres-event-store.js';

/** Registers a store that is open already, and the database under it. */
export const eventStore =
  (store: UnitStore, connection?: () => Promise<StoreConnection>): Addition =>
  (parts) => {
    if (parts.eventStore instanceof AuditingEventStore) {
      throw new Problem('invalid-setup', {
        detail:
          'The event store is decorated with auditing already; register the store before addSystemEvents or decorateEventStoreWithAuditing.',
      });
    }
    parts.unitStore = store;
    parts.eventStore = store;
    parts.connection = connection;
  };

export type PostgresSource = { readonly url: string } | { readonly pool: Pool };

/** Registers a PostgreSQL event store; its schema is brought up to date when it is first used. */
export const postgresEventStore =
  (source: PostgresSource, host = 'local'): Addition =>
  (parts) => {
    const upcasters = new Upcasters();
    let opening: Promise<OpenStore> | undefined;
    const open = () => {
      // A database that was not there yet may be there the next time.
      opening ??= openFrom(source, host, upcasters).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    };
    const store = async (): Promise<PostgresStore> => (await open()).store;
    eventStore({ ...whenOpen(store), upcasters }, async () => (await open()).connection)(parts);
    parts.stops.push(async () => {
      await (await opening)?.store.close();
    });
  };

/** Brings stored events of older versions to the newest on every read. */
export const addUpcasters =
  (upcasters: Iterable<Upcaster>): Addition =>
  ({ unitStore }) => {
    if (unitStore?.upcasters === undefined) {
      throw new Problem('invalid-setup', {
        detail:
          'addUpcasters changes what the event store reads, and none is registered yet; call with(postgresEventStore({ url })) before it.',
      });
    }
    unitStore.upcasters.add(upcasters);
  };

interface OpenStore {
  readonly store: PostgresStore;
  readonly connection: StoreConnection;
}

async function openFrom(source: PostgresSource, host: string, upcasters: Upcasters): Promise<OpenStore> {
  if ('pool' in source) {
    const database = overPool(source.pool);
    await migrateOver(database);
    const store = openPostgresStore(database, { host, upcasters });
    return { store, connection: { database, asOwner: (body) => body(database) } };
  }
  const { role } = await migrate({ ownerUrl: source.url });
  const database = openDatabase({ url: source.url, ...(role === undefined ? {} : { role }) });
  const store = openPostgresStore(database, { host, upcasters });
  const closing: PostgresStore = {
    ...store,
    get depth() {
      return store.depth;
    },
    get flushes() {
      return store.flushes;
    },
    close: async () => {
      await store.close();
      await database.close();
    },
  };
  return { store: closing, connection: { database, ...ownerAt(source.url) } };
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
