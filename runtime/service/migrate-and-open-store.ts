import type { Upcasters } from '../../contracts/upcaster.js';
import { openDatabase, overPool } from '../database/database.js';
import type { Pool } from '../database/pg-exports.js';
import { ownerAt } from '../database/schema-owner.js';
import { noApplicationItems } from '../migrations/application-migrations.js';
import { type Migrated, migrate, type MigrateOptions, migrateOver } from '../migrations/migrate.js';
import { perspectiveItems } from '../migrations/perspective-items.js';
import { openPostgresStore, type PostgresStore } from '../store/postgres-event-store.js';
import { migrationRecords } from './migration-records.js';
import type { ServiceParts } from './service.js';
import type { StoreConnection } from './store-connection.js';

/** Where a store is: at a URL, or behind a pool of the service. */
export type PostgresSource = { readonly url: string } | { readonly pool: Pool };

/** An open store and the connection it uses. */
export interface OpenStore {
  readonly store: PostgresStore;
  readonly connection: StoreConnection;
}

/** Migrates the schema and opens a store on it; a pool of the service is used and never closed. */
export async function migrateAndOpenStore(
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
