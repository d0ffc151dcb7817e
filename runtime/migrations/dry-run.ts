import { MigrationStatus, type MigrationStrategy } from '../../contracts/migration.js';
import type { Session } from '../database/database.js';
import {
  type ApplicationItems,
  applicationItems,
  noApplicationItems,
  type SqlFile,
} from './application-migrations.js';
import { type CopyState, readColumn } from './column-copy-catalog.js';
import { copySql } from './column-copy-sql.js';
import type { ColumnCopy } from './sql-file-header.js';
import { schemaItem } from './migration-item.js';
import { readLedger } from './ledger.js';
import { withOwner } from './migrate.js';
import { buildsOn, type LedgerRow, type MigrationStep, planMigrations } from './plan.js';
import { expectedRole } from './runtime-role.js';
import { withSchemaSession } from '../database/schema-session.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { schemaOf } from '../schema/items.js';
import { reachedLevel } from './schema-levels.js';

/** A step that would run, and its statements. */
export interface PlannedStep {
  readonly step: MigrationStep;
  readonly sql: readonly string[];
  /** Why it would fail or not run. */
  readonly refusal: string | undefined;
}

/** Reads the database and changes nothing. */
export const dryRun = (
  ownerUrl: string,
  application: ApplicationItems = noApplicationItems,
): Promise<PlannedStep[]> =>
  withOwner(ownerUrl, (database) =>
    withSchemaSession(database, async (session) => {
      const ledger = await readLedger(session);
      const steps = planned(await expectedRole(session), ledger, application);
      return withSql(steps, session);
    }),
  );

/** The level of the version that runs now, as far as the store knows. */
export const runningLevel = (ownerUrl: string): Promise<number | undefined> =>
  withOwner(ownerUrl, (database) => withSchemaSession(database, reachedLevel));

/** Files that were edited after they were applied, and the error of a host for each. */
export async function editedSince(
  ownerUrl: string,
  files: readonly SqlFile[],
  applicationVersion: string | null,
): Promise<{ readonly file: string; readonly refusal: string }[]> {
  const steps = await dryRun(ownerUrl, applicationItems(files, applicationVersion));
  return steps.flatMap(({ step: { item, refusal } }) =>
    refusal === undefined ? [] : [{ file: item.key.replace(/^migrations\//, ''), refusal }],
  );
}

/** The same without a database. */
export const dryRunWithout = (application: ApplicationItems): Promise<PlannedStep[]> =>
  withSql(planned(runtimeRole, [], application));

async function withSql(steps: readonly MigrationStep[], session?: Session): Promise<PlannedStep[]> {
  const all: PlannedStep[] = [];
  for (const step of steps) {
    const refused = steps.slice(0, steps.indexOf(step)).find((earlier) => isRefused(earlier, step));
    const refusal = refused === undefined ? step.refusal : `not run: ${refused.item.key} failed`;
    all.push({ step, refusal, sql: refusal === undefined ? await sqlOf(step, session) : [] });
  }
  return all;
}

const isRefused = (earlier: MigrationStep, step: MigrationStep): boolean =>
  earlier.refusal !== undefined && buildsOn(step, earlier);

function planned(role: string | undefined, ledger: readonly LedgerRow[], application: ApplicationItems) {
  const { files, version } = schemaOf(role);
  const versions = { library: version, application: application.version };
  return planMigrations([...files.map(schemaItem), ...application.items], ledger, versions);
}

async function sqlOf(
  { item, becomes, strategy }: MigrationStep,
  session?: Session,
): Promise<readonly string[]> {
  if (becomes === MigrationStatus.Skipped) return [];
  switch (item.kind) {
    case 'ddl':
      return ['BEGIN', item.sql.trim(), 'COMMIT'];
    case 'statements':
      return item.statements.map(({ text }) => text);
    case 'column-copy':
      return copyStatements(item.copy, await columnIn(session, item.copy));
    case 'perspective':
      return [item.target.ddl.trim(), ...(afterwards[strategy] ?? [])];
  }
}

const afterwards: Partial<Record<MigrationStrategy, readonly string[]>> = {
  ColumnCopy: ['-- rows, snapshots and cursor are copied from the old table, in one snapshot'],
  EventReplay: ['-- the events are replayed into the new table in the background, then readers see it'],
};

const plain: CopyState = {
  type: '',
  isRequired: false,
  fallback: null,
  sequence: null,
  indexes: [],
  begunBy: null,
  isConstrained: false,
};

/** A table that an earlier file creates does not exist yet. */
const columnIn = async (session: Session | undefined, copy: ColumnCopy): Promise<CopyState> =>
  session === undefined ? plain : readColumn(session, copy, copySql(copy).constraint).catch(() => plain);

function copyStatements(copy: ColumnCopy, column: CopyState): string[] {
  const sql = copySql(copy);
  return [
    `-- at most 100 ms for a lock, with retries\n${sql.expand}`,
    `-- in batches\n${sql.backfill}`,
    `-- must be 0\n${sql.verify}`,
    ...column.indexes.map(({ create }) => create),
    ...(column.isRequired ? [sql.require, sql.validate] : []),
    `-- in one transaction\n${sql.swap(column)}`,
  ];
}
