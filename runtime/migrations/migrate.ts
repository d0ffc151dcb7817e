import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorActed } from '../../contracts/events/operator.js';
import { MigrationStatus, type MigrationStrategy } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import { type Database, openDatabase, type Session } from '../database/database.js';
import { log } from '../logging/log.js';
import { type ApplicationItems, noApplicationItems } from './application-migrations.js';
import { type BatchOutcome, hasStore, runBatch } from './run-batch.js';
import { type MigrationItem, schemaItem } from './migration-item.js';
import { interruptedEvents, noteEnded } from './interrupted-batch.js';
import { MigrationEventJournal, type MigrationRecords } from './migration-event-journal.js';
import { openLedger, readLedger } from './ledger.js';
import { libraryLevels, mustBeAllowed, recordLevels } from './schema-levels.js';
import type { MigrationEvent } from './outcome-events.js';
import { type LockRetry, lockRetryDefaults } from '../database/lock-retry.js';
import { type MigrationStep, planMigrations, type Versions } from './plan.js';
import { ensureRuntimeRole } from './runtime-role.js';
import { enterSchema } from '../database/schema-session.js';
import { type SchemaVersion, schemaOf } from '../schema/items.js';

export interface MigrateOptions {
  /** Connects as the owner of the schema. */
  readonly ownerUrl: string;
  /** The user of all other connections, who may assume the runtime role. */
  readonly runtimeUser?: string;
  /** The migrations of the service. */
  readonly application?: ApplicationItems;
  readonly lockRetry?: Partial<LockRetry>;
  /** Reports the progress of a long step. */
  readonly progress?: (key: string, done: number, total: number) => void;
  /** Our own schema; default: that of this version. */
  readonly schema?: SchemaVersion;
  /** Stores every event as it happens; without it none is stored. */
  readonly records?: MigrationRecords | undefined;
  /** Who wants it: stored as early as the store can keep it. */
  readonly acted?: OperatorActed;
  /** Called with every event as it happens. */
  readonly watch?: (event: MigrationEvent) => void;
}

interface MigratedStep {
  readonly key: string;
  readonly hash: string;
  readonly strategy: MigrationStrategy;
  readonly becomes: MigrationStatus;
}

export interface Migrated {
  readonly steps: readonly MigratedStep[];
  /** The role to assume, or undefined when the server does not allow us to create it. */
  readonly role: string | undefined;
  readonly batch: BatchOutcome;
}

/** Migrates the schema; one host at a time, the others wait. Throws the first failure. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const migrated = await tryToMigrate(options);
  if (migrated.batch.failure !== undefined) throw migrated.batch.failure;
  return migrated;
}

/** The same, but returns a failure as part of the result. */
export const tryToMigrate = (options: MigrateOptions): Promise<Migrated> =>
  withOwner(options.ownerUrl, (database) => migrateDatabase(database, options));

interface RuntimeRole {
  /** Undefined when the server does not allow us to create it. */
  readonly role: string | undefined;
  /** The user that logged in is the owner, or can become it: SET ROLE can be undone at any time. */
  readonly isOwner: boolean;
}

/** Creates the role that all other connections assume. */
export const ensureRoleAt = (ownerUrl: string, runtimeUser: string): Promise<RuntimeRole> =>
  withOwner(ownerUrl, async (database) => {
    const session = await database.session();
    try {
      const user = runtimeUser || (await enterSchema(session));
      const role = await ensureRuntimeRole(session, user);
      const [row] = await session.rows({
        text: `SELECT bool_or(pg_has_role(r.oid, current_user, 'MEMBER') OR EXISTS (SELECT 1 FROM pg_class c
            WHERE c.oid = to_regclass('svc_store') AND pg_has_role(r.oid, c.relowner, 'MEMBER')))
          FROM pg_roles r WHERE rolname = $1`,
        values: [user],
      });
      return { role, isOwner: row?.[0] === 't' };
    } finally {
      session.release(true);
    }
  });

/** Provides one connection of the owner, for long statements. */
export async function withOwner<T>(ownerUrl: string, body: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({
    url: ownerUrl,
    connections: 1,
    statementTimeoutMs: 600_000,
    applicationName: 'svc-migrate',
  });
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}

/** Uses existing connections. */
export async function migrateOver(
  database: Database,
  options: Omit<MigrateOptions, 'ownerUrl'> = {},
): Promise<Migrated> {
  const migrated = await migrateDatabase(database, options);
  if (migrated.batch.failure !== undefined) throw migrated.batch.failure;
  return migrated;
}

async function migrateDatabase(
  database: Database,
  options: Omit<MigrateOptions, 'ownerUrl'>,
): Promise<Migrated> {
  const session = await database.session();
  try {
    return await migrateSchema(session, options);
  } finally {
    // Closed: its search_path and its lock must not reach the next borrower.
    session.release(true);
  }
}

async function migrateSchema(session: Session, options: Omit<MigrateOptions, 'ownerUrl'>): Promise<Migrated> {
  const user = await enterSchema(session);
  const role = await ensureRuntimeRole(session, options.runtimeUser || user);
  const { application = noApplicationItems, schema = schemaOf(role) } = options;
  const items = [...schema.files.map(schemaItem), ...application.items];
  const versions = { library: schema.version, application: application.version };
  const mayRecord = await acquireMigrationLock(session, items, versions);
  if (mayRecord) await openLedger(session);
  const levels = { library: libraryLevels, application: application.levels };
  await mustBeAllowed(session, levels);
  const ledger = await readLedger(session);
  const steps = planMigrations(items, ledger, versions);
  await mustHaveBaseline(session, steps);
  const journal = new MigrationEventJournal(session, options.records, options.watch);
  if (mayRecord) await journal.add(await interruptedEvents(session, ledger), hasStore(steps, []));
  if (options.acted !== undefined) await journal.add([options.acted], hasStore(steps, []));
  const ports = {
    session,
    versions,
    mayRecord,
    lockRetry: { ...lockRetryDefaults, ...options.lockRetry },
    progress: options.progress ?? (() => undefined),
  };
  const batch = await runBatch(steps, ports, journal);
  await storeEvents(journal, batch);
  if (mayRecord) await noteEnded(session);
  if (mayRecord && batch.failure === undefined) await recordLevels(session, levels);
  return { steps: batch.outcomes.map(({ step }) => migratedStep(step)), role, batch };
}

/** A store of another build is refused: nothing is converted before a release. */
async function mustHaveBaseline(session: Session, steps: readonly MigrationStep[]): Promise<void> {
  const other = steps.find(({ item, refusal }) => item.owner === 'library' && refusal !== undefined);
  if (other === undefined) return;
  const [row] = await session.rows({ text: 'SELECT current_database()' });
  throw new Problem('invalid-setup', {
    detail: `The store in the database ${row?.[0] ?? ''} was made by another build of svc-runtime (${other.item.key} differs); drop this database, or delete the data folder of an embedded server (.svc, or SVC_DATA_DIR), and start again.`,
  });
}

/** Without its own schema a store can keep nothing; the failure itself is reported anyway. */
async function storeEvents(journal: MigrationEventJournal, { failure }: BatchOutcome): Promise<void> {
  try {
    await journal.store();
  } catch (error) {
    if (failure === undefined) throw error;
    log.warn({ err: error }, 'the migration events could not be stored');
  }
}

const pollEveryMs = 100;
const lockTimeoutMs = 60 * 60_000;

/** True when the lock is acquired; false when another host migrates and nothing of it concerns us. */
async function acquireMigrationLock(
  session: Session,
  items: readonly MigrationItem[],
  versions: Versions,
): Promise<boolean> {
  const until = performance.now() + lockTimeoutMs;
  while (performance.now() < until) {
    const [row] = await session.rows({
      text: "SELECT pg_try_advisory_lock(hashtext('svc'), hashtext('migrate ' || current_schema()))",
    });
    if (row?.[0] === 't') return true;
    const steps = planMigrations(items, await readLedger(session), versions);
    if (steps.every(({ becomes }) => becomes === MigrationStatus.Skipped)) return false;
    await sleep(pollEveryMs);
  }
  throw new Problem('invalid-setup', {
    detail: 'Another host has been migrating this database for an hour; see svc_schema_migrations.',
  });
}

const migratedStep = ({ item: { key, hash }, strategy, becomes }: MigrationStep): MigratedStep => ({
  key,
  hash,
  strategy,
  becomes,
});
