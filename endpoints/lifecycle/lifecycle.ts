import { type Actor, type AnyActorLogic, createActor, type InspectionEvent } from 'xstate';
import { isThenable } from '../../runtime/thenable.js';
import { compileTable } from './transition-table.js';
import type { Trigger, WorkingState } from './edges.js';
import {
  type LifecycleEvent,
  lifecycleMachine,
  type LifecyclePlan,
  type LifecycleState,
} from './lifecycle-machine.js';

/** The work of each state; the lifecycle decides which of it runs. */
export interface LifecycleSteps<TResult> {
  isCancelled(): boolean;
  cancellationReason(): unknown;
  map(): unknown;
  before(): unknown;
  dispatch(): TResult | Promise<TResult>;
  after(result: TResult): unknown;
  /** null or undefined: rethrow. */
  recover(error: unknown): TResult | null | undefined | Promise<TResult | null | undefined>;
}

export type FailingState = 'checking' | 'mapping' | 'before' | 'dispatching' | 'after' | 'recovering';

/** How a request ended, with its result or error. */
export type LifecycleEnd<TResult> =
  | { readonly outcome: 'completed'; readonly result: TResult }
  | { readonly outcome: 'recovered'; readonly result: TResult; readonly from: unknown }
  | {
      readonly outcome: 'cancelled' | 'failed';
      readonly error: unknown;
      readonly in: FailingState;
      /** The error of dispatch, when the error-hook then failed too. */
      readonly from?: unknown;
    };

export type Inspect = (event: InspectionEvent) => void;

/** Observes the states of one request. */
export interface LifecycleWatch {
  /** When set, XState's own interpreter runs the request and reports to it. */
  readonly inspect?: Inspect | undefined;
  moved?(trigger: Trigger, to: LifecycleState): void;
}

/** Also observes the end. */
export interface RequestWatch extends LifecycleWatch {
  ended(end: LifecycleEnd<unknown>): void;
}

/** Runs the requests of one plan. */
export interface Lifecycle {
  run<TResult>(steps: LifecycleSteps<TResult>, watch?: LifecycleWatch): Promise<LifecycleEnd<TResult>>;
}

/** The statechart for one plan: a compiled table for ordinary requests, XState's interpreter for inspected ones. */
export function lifecycleFor(plan: LifecyclePlan): Lifecycle {
  const table = compileTable(lifecycleMachine, plan);
  return {
    run: (steps, watch) => {
      const inspect = watch?.inspect;
      const actor: LifecycleActor =
        inspect === undefined ? createActor(table) : createActor(lifecycleMachine, { input: plan, inspect });
      return drive(actor.start(), steps, watch);
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
  /** The error that was passed to the error-hook. */
  from: unknown;
}

/** Runs the step of the current state and sends its result to the actor, until a final state. */
async function drive<TResult>(
  actor: LifecycleActor,
  steps: LifecycleSteps<TResult>,
  watch: LifecycleWatch | undefined,
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
        return { outcome: state, result: progress.result as TResult };
      case 'recovered':
        return { outcome: state, result: progress.result as TResult, from: progress.error };
      case 'cancelled':
      case 'failed':
        return failedEnd(state, progress);
      default: {
        let event: LifecycleEvent;
        try {
          const begun = begin(state, steps, progress);
          // Do not await a synchronous result.
          event = conclude(state, steps, progress, isThenable(begun) ? await begun : begun);
        } catch (error) {
          event = fail(state, progress, error);
        }
        actor.send(event);
        state = stateOf(actor);
        watch?.moved?.(event.type, state);
      }
    }
  }
}

const stateOf = (actor: LifecycleActor): LifecycleState =>
  (actor.getSnapshot() as { value: LifecycleState }).value;

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

function failedEnd<TResult>(
  outcome: 'cancelled' | 'failed',
  { error, failedIn, from }: Progress<TResult>,
): LifecycleEnd<TResult> {
  const end = { outcome, error, in: failedIn };
  return failedIn === 'recovering' ? { ...end, from } : end;
}

/** The error of the error-hook goes to the caller, with the error it was called with as its cause. */
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
