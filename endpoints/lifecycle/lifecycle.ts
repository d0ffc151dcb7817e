import { type Actor, type AnyActorLogic, createActor } from 'xstate';
import { compiledChart } from '../../actors/steps/compiled-chart.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import type { FailingState, LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import {
  isOutcome,
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecyclePlan,
  type LifecycleState,
} from './lifecycle-machine.js';

/** What came of a request so far. */
export interface Progress<TResult> {
  result: TResult | undefined;
  error: unknown;
  failedIn: FailingState;
  /** The error that was passed to the error-hook. */
  from: unknown;
}

/**
 * Does the work of a state; the lifecycle decides which states run. `checking` returns the reason of a cancellation,
 * `dispatching` the result; null or undefined from `recovering` rethrows the error.
 */
export type StateWork<TRequest, TResult> = (
  state: FailingState,
  request: TRequest,
  progress: Progress<TResult>,
) => unknown;

type Ended<TRequest, TResult> = (request: TRequest, end: LifecycleEnd<TResult>) => void;

export interface Lifecycle<TRequest, TResult> {
  actor(isWatched: boolean): LifecycleActor;
  run(request: TRequest, visit?: Visit): Promise<LifecycleEnd<TResult>>;
}

/** For one plan: a compiled table for ordinary requests, XState's interpreter for those that are watched. */
export function lifecycleFor<TRequest, TResult>(
  plan: LifecyclePlan,
  work: StateWork<TRequest, TResult>,
  ended?: Ended<TRequest, TResult>,
): Lifecycle<TRequest, TResult> {
  const table = compiledChart<LifecycleState, LifecycleEvent>(lifecycleMachine, plan);
  const actor = (isWatched: boolean): LifecycleActor =>
    isWatched ? createActor(lifecycleMachine, { input: plan }) : createActor(table);
  return {
    actor,
    run: (request, visit) => drive(actor(visit?.isWatched === true).start(), work, request, visit, ended),
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

/** Does the work of the current state and sends what came of it to the actor, until it reaches a final state. */
async function drive<TRequest, TResult>(
  actor: LifecycleActor,
  work: StateWork<TRequest, TResult>,
  request: TRequest,
  visit: Visit | undefined,
  ended: Ended<TRequest, TResult> | undefined,
): Promise<LifecycleEnd<TResult>> {
  const progress: Progress<TResult> = {
    result: undefined,
    error: undefined,
    failedIn: 'checking',
    from: undefined,
  };
  let state = stateOf(actor);
  while (!isOutcome(state)) {
    let event: LifecycleEvent;
    try {
      const begun = begin(state, work, request, progress, visit);
      // Do not await a synchronous result.
      event = conclude(state, progress, isThenable(begun) ? await begun : begun);
    } catch (error) {
      event = fail(state, progress, error);
    }
    actor.send(event);
    state = stateOf(actor);
    visit?.moved?.(event.type, state, progress.error);
  }
  const end = endIn(state, progress);
  visit?.left?.(end);
  ended?.(request, end);
  return end;
}

const stateOf = (actor: LifecycleActor): LifecycleState =>
  (actor.getSnapshot() as { value: LifecycleState }).value;

const begin = <TRequest, TResult>(
  state: FailingState,
  work: StateWork<TRequest, TResult>,
  request: TRequest,
  progress: Progress<TResult>,
  visit: Visit | undefined,
): unknown =>
  visit?.within === undefined
    ? work(state, request, progress)
    : visit.within(() => work(state, request, progress));

function conclude<TResult>(state: FailingState, progress: Progress<TResult>, value: unknown): LifecycleEvent {
  switch (state) {
    case 'checking':
      if (value === undefined) return events.passed;
      progress.error = value;
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

function fail<TResult>(state: FailingState, progress: Progress<TResult>, error: unknown): LifecycleEvent {
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
  if (error instanceof Error && error !== cause && error.cause === undefined)
    Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
  return error;
}
