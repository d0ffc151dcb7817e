import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { recordUnchanged } from './ledger.js';
import { runStep, type StepPorts } from './run-step.js';
import { noteBegun } from './interrupted-batch.js';
import type { MigrationEventJournal } from './migration-event-journal.js';
import {
  batchEnded,
  batchStarted,
  itemEnded,
  itemStarted,
  type MigrationEvent,
  resultOf,
  type StepOutcome,
} from './outcome-events.js';
import { buildsOn, type MigrationStep } from './plan.js';

/** The outcome of a whole batch. */
export interface BatchOutcome {
  readonly id: Uuid;
  readonly outcomes: readonly StepOutcome[];
  /** In order. */
  readonly events: readonly MigrationEvent[];
  readonly failure: Problem | undefined;
}

/**
 * Runs one step after the other and reports events; steps that depend on a failed one are not run. Nothing happens to an
 * unchanged item: its events are stored with the next ones, and a start that changes nothing is one commit.
 */
export async function runBatch(
  steps: readonly MigrationStep[],
  ports: StepPorts,
  journal: MigrationEventJournal,
): Promise<BatchOutcome> {
  const began = performance.now();
  const id = newUuid();
  const { library } = ports.versions;
  const outcomes: StepOutcome[] = [];
  const note = (event: MigrationEvent, waits = false) =>
    journal.note(event, !waits && hasStore(steps, outcomes));
  const changesNothing = steps.every(isUnchanged);
  if (ports.mayRecord && !changesNothing) {
    const keys = steps.map(({ item }) => item.key);
    await noteBegun(ports.session, id, library, keys);
  }
  await note(batchStarted(id, steps, library), changesNothing);
  for (const step of steps) {
    const failed = outcomes.find((outcome) => isAttempt(outcome) && buildsOn(step, outcome.step));
    if (failed !== undefined) {
      outcomes.push(notRun(step, `${failed.step.item.key} failed`));
      continue;
    }
    await note(itemStarted(id, step), isUnchanged(step));
    const outcome = await runStep(step, ports);
    outcomes.push(outcome);
    await note(itemEnded(id, outcome), isUnchanged(step));
  }
  if (ports.mayRecord) {
    const unchanged = outcomes.filter(
      ({ status, step }) => status === MigrationStatus.Skipped && !step.isLeftAlone,
    );
    const kept = unchanged.map(({ step }) => step);
    await recordUnchanged(ports.session, kept, ports.versions);
  }
  await note(batchEnded(id, outcomes.map(resultOf), library, performance.now() - began));
  return { id, outcomes, events: journal.events, failure: failureOf(outcomes) };
}

/** Events can be stored once our own schema is up to date. */
export const hasStore = (steps: readonly MigrationStep[], outcomes: readonly StepOutcome[]): boolean =>
  steps.every(
    (step) =>
      step.item.owner !== 'library' ||
      step.becomes === MigrationStatus.Skipped ||
      outcomes.some((outcome) => outcome.step === step && outcome.status !== MigrationStatus.Failed),
  );

const isUnchanged = ({ becomes }: MigrationStep): boolean => becomes === MigrationStatus.Skipped;

const isAttempt = ({ reason }: StepOutcome): boolean => reason !== undefined;

const notRun = (step: MigrationStep, because: string): StepOutcome => ({
  step,
  status: MigrationStatus.Failed,
  description: `not run: ${because}`,
  durationMs: 0,
});

function failureOf(outcomes: readonly StepOutcome[]): Problem | undefined {
  const [first, ...others] = outcomes.filter(isAttempt);
  if (first === undefined) return undefined;
  const also = others.map(({ step }) => step.item.key).join(', ');
  const detail = `Migration ${first.step.item.key} failed: ${first.description}`;
  return new Problem('invalid-setup', { detail: also === '' ? detail : `${detail}; also failed: ${also}` });
}
