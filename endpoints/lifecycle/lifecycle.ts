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
  | { readonly outcome: 'completed'; readonly result: TResult }
  | { readonly outcome: 'recovered'; readonly result: TResult; readonly from: unknown }
  | {
      readonly outcome: 'cancelled' | 'failed';
      readonly error: unknown;
      readonly in: FailingState;
      /** What dispatch failed with, when the error-hook then failed too. */
      readonly from?: unknown;
    };

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
  /** What the error-hook was asked about. */
  from: unknown;
}

/** Carries out the step of whatever state the actor is in and tells it what came of it, until a final state. */
async function drive<TResult>(
  actor: LifecycleActor,
  steps: LifecycleSteps<TResult>,
): Promise<LifecycleEnd<TResult>> {
  const progress: Progress<TResult> = {
    result: undefined,
    error: undefined,
    failedIn: 'checking',
    from: undefined,
  };
  for (;;) {
    const state = (actor.getSnapshot() as { value: LifecycleState }).value;
    switch (state) {
      case 'completed':
        return { outcome: state, result: progress.result as TResult };
      case 'recovered':
        return { outcome: state, result: progress.result as TResult, from: progress.error };
      case 'cancelled':
      case 'failed':
        return failedEnd(state, progress);
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
    if (state === 'recovering') progress.from = progress.error;
    progress.error = state === 'recovering' ? withCause(error, progress.error) : error;
    progress.failedIn = state;
    return events.failed;
  }
}

function failedEnd<TResult>(
  outcome: 'cancelled' | 'failed',
  { error, failedIn, from }: Progress<TResult>,
): LifecycleEnd<TResult> {
  const end = { outcome, error, in: failedIn };
  return failedIn === 'recovering' ? { ...end, from } : end;
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
