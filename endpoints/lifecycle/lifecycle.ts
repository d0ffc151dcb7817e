import { type Actor, type AnyActorLogic, createActor } from 'xstate';
import type { FailingState, LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { compileTable } from './transition-table.js';
import type { WorkingState } from './edges.js';
import {
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecyclePlan,
  type LifecycleState,
} from './lifecycle-machine.js';

/** The work of each state; the lifecycle decides which parts run. */
export interface LifecycleSteps<TResult> {
  isCancelled(): boolean;
  cancellationReason(): unknown;
  map(): unknown;
  before(): unknown;
  dispatch(): TResult | Promise<TResult>;
  after(result: TResult): unknown;
  /** Null or undefined rethrows the error. */
  recover(error: unknown): TResult | null | undefined | Promise<TResult | null | undefined>;
}

/** Runs the requests of one plan. */
export interface Lifecycle {
  /** The root actor of a request. */
  actor(isWatched: boolean): LifecycleActor;
  run<TResult>(steps: LifecycleSteps<TResult>, visit?: Visit): Promise<LifecycleEnd<TResult>>;
}

/**
 * The statechart for one plan: a compiled table for ordinary requests, XState's interpreter for those that are watched.
 */
export function lifecycleFor(plan: LifecyclePlan): Lifecycle {
  const table = compileTable(lifecycleMachine, plan);
  const actor = (isWatched: boolean): LifecycleActor =>
    isWatched ? createActor(lifecycleMachine, { input: plan }) : createActor(table);
  return { actor, run: (steps, visit) => drive(actor(visit?.isWatched === true).start(), steps, visit) };
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
  /** The error that was passed to the error-hook. */
  from: unknown;
}

/** Runs the step of the current state and sends its result to the actor, until it reaches a final state. */
async function drive<TResult>(
  actor: LifecycleActor,
  steps: LifecycleSteps<TResult>,
  visit: Visit | undefined,
): Promise<LifecycleEnd<TResult>> {
  const progress: Progress<TResult> = {
    result: undefined,
    error: undefined,
    failedIn: 'checking',
    from: undefined,
  };
  for (let state = stateOf(actor); ;) {
    switch (state) {
      case 'completed':
      case 'recovered':
      case 'cancelled':
      case 'failed': {
        const end = endIn(state, progress);
        visit?.left?.(end);
        return end;
      }
      default: {
        let event: LifecycleEvent;
        try {
          const begun = started(state, steps, progress, visit);
          // Do not await a synchronous result.
          event = conclude(state, steps, progress, isThenable(begun) ? await begun : begun);
        } catch (error) {
          event = fail(state, progress, error);
        }
        actor.send(event);
        state = stateOf(actor);
        visit?.moved?.(event.type, state, progress.error);
      }
    }
  }
}

const stateOf = (actor: LifecycleActor): LifecycleState =>
  (actor.getSnapshot() as { value: LifecycleState }).value;

const started = <TResult>(
  state: WorkingState,
  steps: LifecycleSteps<TResult>,
  progress: Progress<TResult>,
  visit: Visit | undefined,
): unknown =>
  visit?.within === undefined
    ? begin(state, steps, progress)
    : visit.within(() => begin(state, steps, progress));

function begin<TResult>(
  state: WorkingState,
  steps: LifecycleSteps<TResult>,
  progress: Progress<TResult>,
): unknown {
  switch (state) {
    case 'checking':
      return steps.isCancelled();
    case 'mapping':
      return steps.map();
    case 'before':
      return steps.before();
    case 'dispatching':
      return steps.dispatch();
    case 'after':
      return steps.after(progress.result as TResult);
    case 'recovering':
      return steps.recover(progress.error);
  }
}

function conclude<TResult>(
  state: WorkingState,
  steps: LifecycleSteps<TResult>,
  progress: Progress<TResult>,
  value: unknown,
): LifecycleEvent {
  switch (state) {
    case 'checking':
      if (value === false) return events.passed;
      progress.error = steps.cancellationReason();
      return events.cancelled;
    case 'dispatching':
      progress.result = value as TResult;
      return events.succeeded;
    case 'recovering':
      if (value === null || value === undefined) return events.rethrown;
      progress.result = value as TResult;
      return events.recovered;
    default:
      return events.succeeded;
  }
}

function fail<TResult>(state: WorkingState, progress: Progress<TResult>, error: unknown): LifecycleEvent {
  if (state === 'recovering') progress.from = progress.error;
  progress.error = state === 'recovering' ? withCause(error, progress.error) : error;
  progress.failedIn = state;
  return events.failed;
}

function endIn<TResult>(
  outcome: LifecycleOutcome,
  { result, error, failedIn, from }: Progress<TResult>,
): LifecycleEnd<TResult> {
  if (outcome === 'completed') return { outcome, result: result as TResult };
  if (outcome === 'recovered') return { outcome, result: result as TResult, from: error };
  const end = { outcome, error, in: failedIn };
  return failedIn === 'recovering' ? { ...end, from } : end;
}

/** The caller gets the error of the error-hook, with the error that the hook was called with as its cause. */
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
