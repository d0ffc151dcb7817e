import { MigrationStatus } from '../../contracts/migration.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { carryOut, type CarryOutPorts } from './carry-out.js';
import {
  batchCompleted,
  batchStarted,
  itemEnded,
  itemStarted,
  type MigrationEvent,
  type StepOutcome,
} from './outcome.js';
import { buildsOn, type MigrationStep } from './plan.js';

/** What became of a whole batch. */
export interface BatchOutcome {
  readonly id: Uuid;
  readonly outcomes: readonly StepOutcome[];
  /** In order; to be stored as soon as there is a store. */
  readonly events: readonly MigrationEvent[];
  readonly failure: Problem | undefined;
}

/** One step after the other, reported as events; what builds on a step that failed is not run. */
export async function runBatch(steps: readonly MigrationStep[], ports: CarryOutPorts): Promise<BatchOutcome> {
  const began = performance.now();
  const id = newUuid();
  const { library } = ports.versions;
  const events: MigrationEvent[] = [batchStarted(id, steps, library)];
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    const failed = outcomes.find((outcome) => isAttempt(outcome) && buildsOn(step, outcome.step));
    if (failed !== undefined) {
      outcomes.push(notRun(step, `${failed.step.item.key} failed`));
      continue;
    }
    events.push(itemStarted(id, step));
    const outcome = await carryOut(step, ports);
    outcomes.push(outcome);
    events.push(itemEnded(id, outcome));
  }
  events.push(batchCompleted(id, outcomes, library, performance.now() - began));
  return { id, outcomes, events, failure: failureOf(outcomes) };
}

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
