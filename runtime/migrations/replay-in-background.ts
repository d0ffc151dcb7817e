import { MigrationStatus } from '../../contracts/migration.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database, Session } from '../database/database.js';
import { failureOf, type MigrationFailure } from './failure.js';
import { isPerspective, type MigrationItem } from './migration-item.js';
import { itemEnded, type MigrationEvent, type StepOutcome } from './outcome-events.js';
import { lockRetryDefaults } from '../database/lock-retry.js';
import { pointViewAt } from './perspective-tables.js';
import { withSchemaSession } from '../database/schema-session.js';
import type { MigrationStep } from './plan.js';

interface ReplayPorts {
  readonly batch: Uuid;
  /** Provides a connection of the owner. */
  asOwner<T>(body: (owner: Database) => Promise<T>): Promise<T>;
  /** Resolves when the new table of the perspective holds everything that was stored at the start. */
  replay(perspective: string): Promise<void>;
  /** An abort is not a failure: the next start continues. */
  readonly signal: AbortSignal;
}

/** The steps of a batch that are left to replay. */
export const replaysOf = (outcomes: readonly StepOutcome[]): MigrationStep[] =>
  outcomes.flatMap(({ step, status }) => (status === MigrationStatus.MigratingInBackground ? [step] : []));

/** Replays one perspective next to its old table, switches readers over, and reports the end; does nothing if another host does it. */
export async function replayStep(
  step: MigrationStep,
  ports: ReplayPorts,
): Promise<MigrationEvent | undefined> {
  const began = performance.now();
  const { item } = step;
  if (!isPerspective(item)) return undefined;
  const ended = (status: MigrationStatus, description: string): StepOutcome => ({
    step,
    status,
    description,
    durationMs: performance.now() - began,
  });
  try {
    await ports.replay(item.target.name);
    if (ports.signal.aborted) return undefined;
    const description = 'updated, replayed in the background';
    const isOurs = await inSession(ports, (session) =>
      pointViewAt(session, lockRetryDefaults, item.target, () =>
        record(session, item, MigrationStatus.Updated, description),
      ),
    );
    return isOurs ? itemEnded(ports.batch, ended(MigrationStatus.Updated, description)) : undefined;
  } catch (error) {
    if (ports.signal.aborted) return undefined;
    const failure = failureOf(error, 'copying');
    const isOurs = await inSession(ports, (session) => recordFailure(session, item, failure));
    const outcome = { ...ended(MigrationStatus.Failed, failure.message), reason: failure.reason };
    return isOurs ? itemEnded(ports.batch, outcome) : undefined;
  }
}

function inSession<T>(ports: ReplayPorts, body: (session: Session) => Promise<T>): Promise<T> {
  return ports.asOwner((owner) => withSchemaSession(owner, body));
}

/** Of several hosts that replay, one finds the row still open. */
async function record(
  session: Session,
  { key, hash }: MigrationItem,
  status: MigrationStatus,
  description: string,
): Promise<boolean> {
  const rows = await session.rows({
    text: `UPDATE svc_schema_migrations SET status = $3, status_description = $4, updated_at = clock_timestamp(), state = state - 'oldHash'
      WHERE migration_key = $1 AND hash = $2 AND status = 4 RETURNING 1`,
    values: [key, hash, status, description],
  });
  return rows.length > 0;
}

/** Restores the old hash, so that the next start retries. */
async function recordFailure(session: Session, { key, hash }: MigrationItem, failure: MigrationFailure) {
  const rows = await session.rows({
    text: `UPDATE svc_schema_migrations SET status = -1, status_description = $3, updated_at = clock_timestamp(),
        hash = state ->> 'oldHash', superseded = array_remove(superseded, state ->> 'oldHash'),
        state = (state - 'oldHash' - 'shape') || jsonb_build_object('failedHash', $2::text)
      WHERE migration_key = $1 AND hash = $2 AND status = 4 RETURNING 1`,
    values: [key, hash, failure.message],
  });
  return rows.length > 0;
}
