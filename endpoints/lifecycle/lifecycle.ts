import { type Actor, type AnyActorLogic, createActor, type InspectionEvent } from 'xstate';
import { compileTable } from './table.js';
import {
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecyclePlan,
  type LifecycleState,
} from './machine.js';

/** The work of each state; the lifecycle decides which of it runs. */
export interface LifecycleSteps<TResult> {
  isCancelled(): boolean;
  cancellationReason(): unknown;
  map(): unknown;
  before(): unknown;
  dispatch(): TResult | Promise<TResult>;
  after(result: TResult): unknown;
  /** null or undefined means: rethrow. */
  recover(error: unknown): TResult | null | undefined | Promise<TResult | null | undefined>;
}

export type FailingState = 'checking' | 'mapping' | 'before' | 'dispatching' | 'after' | 'recovering';

/** How a request ended, and what with. */
export type LifecycleEnd<TResult> =
  | { readonly outcome: 'completed' | 'recovered'; readonly result: TResult }
  | { readonly outcome: 'cancelled' | 'failed'; readonly error: unknown; readonly in: FailingState };

export type Inspect = (event: InspectionEvent) => void;

/** Runs requests of one plan. */
export interface Lifecycle {
  run<TResult>(steps: LifecycleSteps<TResult>, inspect?: Inspect): Promise<LifecycleEnd<TResult>>;
}

/** The statechart for one plan: a compiled table for ordinary requests, XState's own interpreter for inspected ones. */
export function lifecycleFor(plan: LifecyclePlan): Lifecycle {
  const table = compileTable(lifecycleMachine, plan);
  return {
    run: (steps, inspect) => {
      const actor: LifecycleActor =
        inspect === undefined ? createActor(table) : createActor(lifecycleMachine, { input: plan, inspect });
      return drive(actor.start(), steps);
    },
  };
}

type LifecycleActor = Actor<AnyActorLogic>;

const events = {
  passed: { type: 'passed' },
  cancelled: { type: 'cancelled' },
  succeeded: { type: 'succeeded' },
  failed: { type: 'failed' },
  recovered: { type: 'recovered' },
  rethrown: { type: 'rethrown' },
} satisfies Record<string, LifecycleEvent>;

interface Progress<TResult> {
  result: TResult | undefined;
  error: unknown;
  failedIn: FailingState;
}

/** Carries out the step of whatever state the actor is in and tells it what came of it, until a final state. */
async function drive<TResult>(
  actor: LifecycleActor,
  steps: LifecycleSteps<TResult>,
): Promise<LifecycleEnd<TResult>> {
  const progress: Progress<TResult> = { result: undefined, error: undefined, failedIn: 'checking' };
  for (;;) {
    const state = (actor.getSnapshot() as { value: LifecycleState }).value;
    switch (state) {
      case 'completed':
      case 'recovered':
        return { outcome: state, result: progress.result as TResult };
      case 'cancelled':
      case 'failed':
        return { outcome: state, error: progress.error, in: progress.failedIn };
      default:
        actor.send(await step(state, steps, progress));
    }
  }
}

async function step<TResult>(
  state: Exclude<LifecycleState, LifecycleOutcome>,
  steps: LifecycleSteps<TResult>,
  progress: Progress<TResult>,
): Promise<LifecycleEvent> {
  try {
    switch (state) {
      case 'checking':
        if (!steps.isCancelled()) return events.passed;
        progress.error = steps.cancellationReason();
        return events.cancelled;
      case 'mapping':
        await steps.map();
        return events.succeeded;
      case 'before':
        await steps.before();
        return events.succeeded;
      case 'dispatching':
        progress.result = await steps.dispatch();
        return events.succeeded;
      case 'after':
        await steps.after(progress.result as TResult);
        return events.succeeded;
      case 'recovering': {
        const result = await steps.recover(progress.error);
        if (result === null || result === undefined) return events.rethrown;
        progress.result = result;
        return events.recovered;
      }
    }
  } catch (error) {
    progress.error = state === 'recovering' ? withCause(error, progress.error) : error;
    progress.failedIn = state;
    return events.failed;
  }
}

/** The error-hook's own error goes to the caller, with the one it was asked about as its cause. */
function withCause(error: unknown, cause: unknown): unknown {
  if (error instanceof Error && error !== cause && error.cause === undefined) {
    Object.defineProperty(error, 'cause', {
      value: cause,
      configurable: true,
      writable: true,
      enumerable: false,
    });
  }
  return error;
}
