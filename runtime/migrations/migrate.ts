import { escapeIdentifier } from 'pg';
import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import { type Database, openDatabase, type Session } from '../database/database.js';
import { sqlStateOf } from '../database/sql-error.js';
import { version } from '../version.js';
import { type MigrationStep, planMigrations } from './plan.js';
import { schemaItems } from './schema/items.js';
import { runtimeRole } from './schema/privileges.js';

export interface Migrated {
  readonly steps: readonly MigrationStep[];
  /** The role to take, or undefined when the server would not let us make it. */
  readonly role: string | undefined;
}

export interface MigrateOptions {
  /** Connects as the owner of the schema. */
  readonly ownerUrl: string;
  /** The user of all other connections, who may take the runtime role. */
  readonly runtimeUser?: string;
}

/** Brings the schema up to date; one host at a time, the others wait. */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const database = openDatabase({
    url: options.ownerUrl,
    connections: 1,
    statementTimeoutMs: 600_000,
    applicationName: 'svc-migrate',
  });
  try {
    return await migrateOver(database, options.runtimeUser);
  } finally {
    await database.close();
  }
}

/** The same over connections that are there already. */
export async function migrateOver(database: Database, runtimeUser?: string): Promise<Migrated> {
  const session = await database.session();
  try {
    return await underLock(session, runtimeUser);
  } finally {
    // Thrown away: its search_path and its lock must not reach the next one who borrows it.
    session.release(true);
  }
}

async function underLock(session: Session, runtimeUser: string | undefined): Promise<Migrated> {
  await session.rows({
    text: "SELECT pg_advisory_lock(hashtext('svc'), hashtext('migrate ' || current_schema()))",
  });
  const [place] = await session.rows({
    text: 'SELECT quote_ident(current_schema()), current_user',
  });
  if (place === undefined || place[0] === null) {
    throw new Problem('invalid-setup', {
      detail: 'The connection has no default schema; set one with search_path.',
    });
  }
  // Functions keep the search_path they are created under.
  await session.rows({ text: `SET search_path = ${place[0]}, pg_temp` });
  await session.rows({ text: ledgerTable });
  const role = await ensureRuntimeRole(session, runtimeUser || (place[1] ?? ''));
  const ledger = await session.rows({
    text: 'SELECT migration_key, status, hash FROM svc_schema_migrations',
  });
  const steps = planMigrations(
    schemaItems(role),
    ledger.map(([key, status, hash]) => ({ key: key ?? '', status: Number(status), hash: hash ?? null })),
  );
  for (const step of steps) await carryOut(session, step);
  return { steps, role };
}

const ledgerTable = `CREATE TABLE IF NOT EXISTS svc_schema_migrations (
  migration_key text PRIMARY KEY, strategy text NOT NULL, status smallint NOT NULL, status_description text NOT NULL,
  hash text, library_version text NOT NULL, attempts int NOT NULL, updated_at timestamptz NOT NULL)`;

async function carryOut(session: Session, step: MigrationStep): Promise<void> {
  if (step.becomes === MigrationStatus.Skipped)
    return record(session, step, MigrationStatus.Skipped, 'unchanged');
  const description =
    step.becomes === MigrationStatus.Applied ? 'applied for the first time' : 'updated, its hash changed';
  try {
    await session.rows({ text: 'BEGIN' });
    await session.rows({ text: step.sql });
    await record(session, step, step.becomes, description);
    await session.rows({ text: 'COMMIT' });
  } catch (error) {
    await session.rows({ text: 'ROLLBACK' });
    const reason = error instanceof Error ? error.message : String(error);
    await record(session, step, MigrationStatus.Failed, reason);
    throw new Problem('invalid-setup', { detail: `Migration ${step.key} failed: ${reason}`, cause: error });
  }
}

async function record(
  session: Session,
  step: MigrationStep,
  status: MigrationStatus,
  description: string,
): Promise<void> {
  const hash = status === MigrationStatus.Failed ? step.oldHash : step.hash;
  await session.rows({
    text: `INSERT INTO svc_schema_migrations VALUES ($1, 'DirectDdl', $2, $3, $4, $5, 1, clock_timestamp())
      ON CONFLICT (migration_key) DO UPDATE SET status = $2, status_description = $3, hash = $4, library_version = $5,
        attempts = svc_schema_migrations.attempts + CASE WHEN $2 = 3 THEN 0 ELSE 1 END, updated_at = clock_timestamp()`,
    values: [step.key, status, description, hash, version],
  });
}

/** Roles belong to the whole server: another database's host may make it at the same moment. */
async function ensureRuntimeRole(session: Session, user: string): Promise<string | undefined> {
  try {
    const found = await session.rows({
      text: 'SELECT 1 FROM pg_roles WHERE rolname = $1',
      values: [runtimeRole],
    });
    if (found.length === 0) await session.rows({ text: `CREATE ROLE ${runtimeRole} NOLOGIN` });
  } catch (error) {
    if (sqlStateOf(error) === '42501') return undefined;
    if (!['42710', '23505'].includes(sqlStateOf(error) ?? '')) throw error;
  }
  try {
    const member = await session.rows({
      text: "SELECT pg_has_role($1, $2, 'MEMBER')",
      values: [user, runtimeRole],
    });
    if (member[0]?.[0] !== 't')
      await session.rows({ text: `GRANT ${runtimeRole} TO ${escapeIdentifier(user)}` });
  } catch (error) {
    if (sqlStateOf(error) === '42501') return undefined;
    if (sqlStateOf(error) !== '23505') throw error;
  }
  return runtimeRole;
}
