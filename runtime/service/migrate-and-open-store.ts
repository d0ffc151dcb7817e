import type { Upcasters } from '../../contracts/upcaster.js';
import { type Database, type DatabaseOptions, openDatabase, overPool } from '../database/database.js';
import type { Pool } from '../database/pg-exports.js';
import { ownerAt } from '../database/schema-owner.js';
import { noApplicationItems } from '../migrations/application-migrations.js';
import { type Migrated, migrate, type MigrateOptions, migrateOver } from '../migrations/migrate.js';
import { perspectiveItems } from '../migrations/perspective-items.js';
import { readReservationSecret, reservationKey } from '../reservations/reservation-key.js';
import { openPostgresStore, type PostgresStore } from '../store/postgres-event-store.js';
import { startWitness } from '../store/check-history.js';
import { StoreWitness } from '../store/store-witness.js';
import { recorderOf } from './change-recorder.js';
import { migrationRecords } from './migration-records.js';
import type { ServiceParts } from './service.js';
import type { StoreConnection } from './store-connection.js';
import { startUpkeep } from './store-upkeep.js';

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
  const witness = new StoreWitness({ host, acceptsLoss: true });
  const onConnect: DatabaseOptions['onConnect'] = (session) => witness.connected(session);
  const open = async (connection: StoreConnection, close: () => Promise<void>): Promise<OpenStore> => {
    const { database } = connection;
    await startWitness({ database, witness });
    const keyOf = reservationKey(await readReservationSecret(database));
    const store = openPostgresStore(database, { host, upcasters, witness, reservationKey: keyOf });
    const upkeep = startUpkeep({ database, witness }, () => recorderOf(parts, host));
    const stop = () =>
      upkeep
        .stop()
        .then(() => store.close())
        .then(close);
    return { store: closedBy(store, stop), connection };
  };
  if ('pool' in source) {
    const database = overPool(source.pool, onConnect);
    await startWitness({ database, witness });
    const { migratePerspectives } = await migrated(parts, host, (how) => migrateOver(database, how));
    const connection = { database, asOwner: <T>(body: (owner: Database) => Promise<T>) => body(database) };
    return open({ ...connection, migratePerspectives }, () => Promise.resolve());
  }
  const owner = ownerAt(source.url);
  await owner.asOwner((database) => startWitness({ database, witness }));
  const migrating = (how: HowToMigrate) => migrate({ ownerUrl: source.url, ...how });
  const { role, migratePerspectives } = await migrated(parts, host, migrating);
  const database = openDatabase({ url: source.url, onConnect, ...(role === undefined ? {} : { role }) });
  return open({ database, ...owner, migratePerspectives }, () => database.close());
}

const closedBy = (store: PostgresStore, close: () => Promise<void>): PostgresStore => ({
  ...store,
  get depth() {
    return store.depth;
  },
  get flushes() {
    return store.flushes;
  },
  close,
});

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
