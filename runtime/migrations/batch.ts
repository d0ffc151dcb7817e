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
import type { MigrationStep } from './plan.js';

/** What became of a whole batch. */
export interface BatchOutcome {
  readonly id: Uuid;
  readonly outcomes: readonly StepOutcome[];
  /** In order; to be stored as soon as there is a store. */
  readonly events: readonly MigrationEvent[];
  readonly failure: Problem | undefined;
}

/** One step after the other, told as events; the first that fails is the last. */
export async function runBatch(
  steps: readonly MigrationStep[],
  ports: CarryOutPorts,
  onStep: (step: MigrationStep) => void = () => undefined,
): Promise<BatchOutcome> {
  const began = performance.now();
  const id = newUuid();
  const { library } = ports.versions;
  const events: MigrationEvent[] = [batchStarted(id, steps, library)];
  const outcomes: StepOutcome[] = [];
  for (const step of steps) {
    onStep(step);
    events.push(itemStarted(id, step));
    const outcome = await carryOut(step, ports);
    outcomes.push(outcome);
    events.push(itemEnded(id, outcome));
    if (outcome.status === MigrationStatus.Failed) break;
  }
  events.push(batchCompleted(id, outcomes, library, performance.now() - began));
  return { id, outcomes, events, failure: failureOf(outcomes.at(-1)) };
}

const failureOf = (last: StepOutcome | undefined): Problem | undefined =>
  last?.status === MigrationStatus.Failed
    ? new Problem('invalid-setup', {
        detail: `Migration ${last.step.item.key} failed: ${last.description}`,
      })
    : undefined;
