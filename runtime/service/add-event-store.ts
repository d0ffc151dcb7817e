import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { type Upcaster, Upcasters } from '../../contracts/upcaster.js';
import { openDatabase, overPool } from '../database/database.js';
import type { Pool } from '../database/pg-exports.js';
import { ownerAt } from '../database/schema-owner.js';
import type { StoreConnection } from './store-connection.js';
import { noApplicationItems } from '../migrations/application-migrations.js';
import { type Migrated, migrate, type MigrateOptions, migrateOver } from '../migrations/migrate.js';
import { migrationRecords } from './migration-records.js';
import { perspectiveItems } from '../migrations/perspective-items.js';
import type { Addition, ServiceParts } from './service.js';
import { openPostgresStore, type PostgresStore } from '../store/postgres-event-store.js';

/** Registers an open store and its database. */
export const eventStore =
  (store: UnitStore, connection?: () => Promise<StoreConnection>): Addition =>
  (parts) => {
    if (parts.auditing.coversAppends) {
      throw new Problem('invalid-setup', {
        detail:
          'The event store is already decorated with auditing; register the store before addSystemEvents or decorateEventStoreWithAuditing.',
      });
    }
    parts.unitStore = store;
    parts.eventStore = store;
    parts.connection = connection;
  };

export type PostgresSource = { readonly url: string } | { readonly pool: Pool };

/** Registers a PostgreSQL event store; its schema is migrated on first use. */
export const postgresEventStore =
  (source: PostgresSource, host = 'local'): Addition =>
  (parts) => {
    const upcasters = new Upcasters();
    let opening: Promise<OpenStore> | undefined;
    const open = () => {
      // A database that could not be reached may be reachable the next time.
      opening ??= openFrom(source, host, upcasters, parts).catch((error: unknown) => {
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

/** Upcasts stored events of older versions on every read. */
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

async function openFrom(
  source: PostgresSource,
  host: string,
  upcasters: Upcasters,
  parts: ServiceParts,
): Promise<OpenStore> {
  if ('pool' in source) {
    const database = overPool(source.pool);
    const { migratePerspectives } = await migrated(parts, host, (how) => migrateOver(database, how));
    const store = openPostgresStore(database, { host, upcasters });
    return { store, connection: { database, asOwner: (body) => body(database), migratePerspectives } };
  }
  const migrating = (how: HowToMigrate) => migrate({ ownerUrl: source.url, ...how });
  const { role, migratePerspectives } = await migrated(parts, host, migrating);
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
  return { store: closing, connection: { database, ...ownerAt(source.url), migratePerspectives } };
}

type HowToMigrate = Pick<MigrateOptions, 'application' | 'records'>;
type MigratePerspectives = NonNullable<StoreConnection['migratePerspectives']>;

/** Our own schema and the perspectives declared so far are one batch; later ones are another. */
async function migrated(
  parts: ServiceParts,
  host: string,
  run: (how: HowToMigrate) => Promise<Migrated>,
): Promise<{ readonly role: string | undefined; readonly migratePerspectives: MigratePerspectives }> {
  const migrateThem = (perspectives: Parameters<MigratePerspectives>[0]) => {
    const application = { ...noApplicationItems, items: perspectiveItems(perspectives) };
    return run({ application, records: migrationRecords(parts, host) });
  };
  const { role, batch } = await migrateThem(parts.perspectives?.declared ?? []);
  const done = new Set(batch.outcomes.map(keyOf));
  const migratePerspectives: MigratePerspectives = async (perspectives) => {
    const isDone = perspectiveItems(perspectives).every((item) => done.has(keyOf({ step: { item } })));
    return isDone ? batch : (await migrateThem(perspectives)).batch;
  };
  return { role, migratePerspectives };
}

const keyOf = ({
  step: { item },
}: {
  readonly step: { readonly item: { key: string; hash: string } };
}): string => `${item.key} ${item.hash}`;

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
