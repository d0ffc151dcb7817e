import { MigrationStatus } from '../../contracts/migration.js';
import type { Row, Session } from '../database/database.js';
import { ledgerSql } from '../schema/items.js';
import { isPerspective, type PerspectiveShape } from './migration-item.js';
import { descriptionOf } from './outcome-events.js';
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
export const record = (
  session: Session,
  step: MigrationStep,
  entry: Entry,
  versions: Versions,
): Promise<void> => recordAll(session, [{ step, entry }], versions);

/** Records items that stay as they are, in one commit: a start has nothing else to do, and each commit waits for the disk. */
export async function recordUnchanged(
  session: Session,
  steps: readonly MigrationStep[],
  versions: Versions,
): Promise<void> {
  const outcomes = steps.map((step) => ({
    step,
    entry: { status: MigrationStatus.Skipped, description: descriptionOf(step) },
  }));
  if (outcomes.length > 0) await recordAll(session, outcomes, versions);
}

async function recordAll(
  session: Session,
  outcomes: readonly { readonly step: MigrationStep; readonly entry: Entry }[],
  versions: Versions,
): Promise<void> {
  const rows = outcomes.map(({ step, entry }) => rowAfter(step, entry));
  const columns = (rows[0] ?? []).map((_, index) => rows.map((row) => row[index]));
  await session.rows({
    text: `INSERT INTO svc_schema_migrations AS l (migration_key, strategy, status, status_description, hash,
        library_version, attempts, updated_at, application_version, superseded, state)
      SELECT key, strategy, status, description, hash, $9, attempt, clock_timestamp(), $10,
        ARRAY(SELECT json_array_elements_text(replaced)), state
      FROM unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::text[], $6::int[], $7::json[], $8::jsonb[])
        r(key, strategy, status, description, hash, attempt, replaced, state)
      ON CONFLICT (migration_key) DO UPDATE SET strategy = CASE WHEN excluded.status = 3 THEN l.strategy ELSE excluded.strategy END,
        status = excluded.status, status_description = excluded.status_description, hash = excluded.hash,
        library_version = excluded.library_version, attempts = l.attempts + excluded.attempts, updated_at = excluded.updated_at,
        application_version = excluded.application_version, superseded = excluded.superseded,
        state = CASE WHEN excluded.status = -1 THEN l.state || excluded.state ELSE excluded.state END`,
    values: [...columns, versions.library, versions.application],
  });
}

function rowAfter(step: MigrationStep, { status, description, isSameAttempt = false }: Entry) {
  const { item, oldHash, row } = step;
  const failed = status === MigrationStatus.Failed;
  const hash = failed ? oldHash : item.hash;
  const replaced = [...(row?.superseded ?? []), ...(oldHash === null || failed ? [] : [oldHash])];
  const superseded = [...new Set(replaced)].filter((one) => one !== hash);
  const attempt = status === MigrationStatus.Skipped || isSameAttempt ? 0 : 1;
  return [
    ...[item.key, step.strategy, status, description, hash, attempt],
    ...[JSON.stringify(superseded), JSON.stringify(stateAfter(step, status))],
  ];
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
