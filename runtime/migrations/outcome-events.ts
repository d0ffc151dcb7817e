import {
  MigrationBatchCompleted,
  MigrationBatchStarted,
  MigrationItemCompleted,
  MigrationItemFailed,
  MigrationItemStarted,
} from '../../contracts/events/migration.js';
import {
  type MigrationBatchItemResult,
  type MigrationFailureReason,
  MigrationStatus,
} from '../../contracts/migration.js';
import { durationOf, type Uuid } from '../../contracts/scalars.js';
import { isPerspective } from './migration-item.js';
import type { MigrationStep } from './plan.js';

/** The outcome of one step. */
export interface StepOutcome {
  readonly step: MigrationStep;
  readonly status: MigrationStatus;
  readonly description: string;
  readonly reason?: MigrationFailureReason;
  readonly durationMs: number;
}

export type MigrationEvent =
  | MigrationBatchStarted
  | MigrationItemStarted
  | MigrationItemCompleted
  | MigrationItemFailed
  | MigrationBatchCompleted;

export const batchStarted = (streamId: Uuid, steps: readonly MigrationStep[], libraryVersion: string) => {
  const perspectives = steps.filter(({ item }) => isPerspective(item)).length;
  return new MigrationBatchStarted({
    streamId,
    libraryVersion,
    totalMigrations: steps.length - perspectives,
    totalPerspectives: perspectives,
  });
};

export const itemStarted = (streamId: Uuid, { item, strategy, oldHash }: MigrationStep) =>
  new MigrationItemStarted({ streamId, migrationKey: item.key, strategy, oldHash, newHash: item.hash });

export function itemEnded(
  streamId: Uuid,
  outcome: StepOutcome,
): MigrationItemCompleted | MigrationItemFailed {
  const { step, status, description, reason, durationMs } = outcome;
  const common = { streamId, migrationKey: step.item.key, status, duration: durationOf(durationMs) };
  return reason === undefined
    ? new MigrationItemCompleted({ ...common, statusDescription: description })
    : new MigrationItemFailed({ ...common, failureReason: reason, error: description });
}

export const resultOf = ({ step, status, description }: StepOutcome): MigrationBatchItemResult => ({
  migrationKey: step.item.key,
  status,
  statusDescription: description,
});

/** A background replay is in the results, and in none of the counts until it has ended. */
export function batchEnded(
  streamId: Uuid,
  results: readonly MigrationBatchItemResult[],
  libraryVersion: string,
  totalMs: number,
): MigrationBatchCompleted {
  const count = (wanted: MigrationStatus) => results.filter(({ status }) => status === wanted).length;
  return new MigrationBatchCompleted({
    streamId,
    libraryVersion,
    results: [...results],
    applied: count(MigrationStatus.Applied),
    updated: count(MigrationStatus.Updated),
    skipped: count(MigrationStatus.Skipped),
    failed: count(MigrationStatus.Failed),
    totalDuration: durationOf(totalMs),
  });
}

/** The ledger's description of a successful step. */
export function descriptionOf({ becomes, isLeftAlone }: MigrationStep): string {
  if (isLeftAlone) return 'left as a newer version made it';
  if (becomes === MigrationStatus.Applied) return 'applied for the first time';
  if (becomes === MigrationStatus.Updated) return 'updated, its hash changed';
  if (becomes === MigrationStatus.MigratingInBackground) return 'replayed in the background';
  return 'unchanged';
}
