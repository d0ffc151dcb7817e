import { MigrationStatus } from '../../contracts/migration.js';
import type { Row, Session } from '../database/database.js';
import { ledgerSql } from '../schema/items.js';
import { isPerspective, type PerspectiveShape } from './migration-item.js';
import type { LedgerRow, MigrationStep, Versions } from './plan.js';

type State = Pick<LedgerRow, 'failedHash' | 'oldHash' | 'shape' | 'done'>;

/** Creates the ledger, in one transaction. */
export async function openLedger(session: Session): Promise<void> {
  if (!(await hasLedger(session))) await session.rows({ text: ledgerSql });
}

async function hasLedger(session: Session): Promise<boolean> {
  const [row] = await session.rows({ text: "SELECT to_regclass('svc_schema_migrations') IS NOT NULL" });
  return row?.[0] === 't';
}

/** The recorded items; empty without a ledger. */
export async function readLedger(session: Session): Promise<LedgerRow[]> {
  if (!(await hasLedger(session))) return [];
  const rows = await session.rows({
    text: `SELECT migration_key, status, hash, library_version, application_version, to_json(superseded), state
      FROM svc_schema_migrations`,
  });
  return rows.map(ledgerRow);
}

function ledgerRow([key, status, hash, library, application, superseded, state]: Row): LedgerRow {
  return {
    key: key ?? '',
    status: Number(status),
    hash: hash ?? null,
    libraryVersion: library ?? '',
    applicationVersion: application ?? null,
    superseded: JSON.parse(superseded ?? '[]') as string[],
    ...(JSON.parse(state ?? '{}') as State),
  };
}

export interface Entry {
  readonly status: MigrationStatus;
  readonly description: string;
  /** The attempt was counted when it started. */
  readonly isSameAttempt?: boolean;
}

/** Records the outcome of a step; a failed item keeps its old hash. */
export async function record(
  session: Session,
  step: MigrationStep,
  { status, description, isSameAttempt = false }: Entry,
  versions: Versions,
): Promise<void> {
  const { item, oldHash, row } = step;
  const failed = status === MigrationStatus.Failed;
  const hash = failed ? oldHash : item.hash;
  const replaced = [...(row?.superseded ?? []), ...(oldHash === null || failed ? [] : [oldHash])];
  const superseded = [...new Set(replaced)].filter((one) => one !== hash);
  await session.rows({
    text: `INSERT INTO svc_schema_migrations AS l (migration_key, strategy, status, status_description, hash,
        library_version, attempts, updated_at, application_version, superseded, state)
      VALUES ($1, $2, $3::smallint, $4, $5, $6, 1, clock_timestamp(), $7, $8, $9::jsonb)
      ON CONFLICT (migration_key) DO UPDATE SET strategy = CASE WHEN $3::smallint = 3 THEN l.strategy ELSE $2 END, status = $3::smallint, status_description = $4, hash = $5,
        library_version = $6, attempts = l.attempts + $10::int, updated_at = clock_timestamp(),
        application_version = $7, superseded = $8, state = CASE WHEN $3::smallint = -1 THEN l.state || $9::jsonb ELSE $9::jsonb END`,
    values: [
      item.key,
      step.strategy,
      status,
      description,
      hash,
      versions.library,
      versions.application,
      superseded,
      JSON.stringify(stateAfter(step, status)),
      status === MigrationStatus.Skipped || isSameAttempt ? 0 : 1,
    ],
  });
}

function stateAfter({ item, oldHash, row }: MigrationStep, status: MigrationStatus): State {
  const shape: PerspectiveShape | undefined = isPerspective(item) ? item.target.shape : undefined;
  // Merged into the existing state: the old structure, and the progress.
  if (status === MigrationStatus.Failed) return { failedHash: item.hash };
  if (status === MigrationStatus.MigratingInBackground) {
    return { shape, oldHash: row?.oldHash ?? oldHash ?? undefined };
  }
  return { shape };
}

/** Records the progress of an item that runs statement by statement, so that it can resume. */
export async function noteDone(
  session: Session,
  key: string,
  hash: string,
  statements: number,
): Promise<void> {
  await session.rows({
    text: `UPDATE svc_schema_migrations SET state = state || jsonb_build_object('done', $2::jsonb) WHERE migration_key = $1`,
    values: [key, JSON.stringify({ hash, statements })],
  });
}
