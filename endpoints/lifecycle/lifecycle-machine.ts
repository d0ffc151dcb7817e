import { setup } from 'xstate';

/** Which optional steps an endpoint has. An absent step is never entered. */
export interface LifecyclePlan {
  readonly mapsRequest: boolean;
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly hasError: boolean;
}

/** The result of a state's step. */
export type LifecycleEvent =
  | { readonly type: 'passed' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'succeeded' }
  | { readonly type: 'failed' }
  | { readonly type: 'recovered' }
  | { readonly type: 'rethrown' };

/** How a request ended; also the names of the final states. */
export type LifecycleOutcome = 'completed' | 'recovered' | 'cancelled' | 'failed';

export type LifecycleState =
  | 'checking'
  | 'mapping'
  | 'before'
  | 'dispatching'
  | 'after'
  | 'recovering'
  | LifecycleOutcome;

/** The lifecycle of one request as specified: steps 1 to 4b and x, with mapping before the before-hook. */
export const lifecycleMachine = setup({
  types: {
    context: {} as LifecyclePlan,
    input: {} as LifecyclePlan,
    events: {} as LifecycleEvent,
  },
  guards: {
    mapsRequest: ({ context }) => context.mapsRequest,
    hasBefore: ({ context }) => context.hasBefore,
    hasAfter: ({ context }) => context.hasAfter,
    hasError: ({ context }) => context.hasError,
  },
}).createMachine({
  id: 'lifecycle',
  context: ({ input }) => input,
  initial: 'checking',
  states: {
    checking: {
      description: 'cancelled already?',
      on: {
        cancelled: 'cancelled',
        passed: [
          { guard: 'mapsRequest', target: 'mapping' },
          { guard: 'hasBefore', target: 'before' },
          { target: 'dispatching' },
        ],
      },
    },
    mapping: {
      description: 'mapRequestToCommand',
      on: {
        succeeded: [{ guard: 'hasBefore', target: 'before' }, { target: 'dispatching' }],
        failed: 'failed',
      },
    },
    before: { description: 'onBeforeExecute', on: { succeeded: 'dispatching', failed: 'failed' } },
    dispatching: {
      description: 'dispatchCommand',
      on: {
        succeeded: [{ guard: 'hasAfter', target: 'after' }, { target: 'completed' }],
        failed: [{ guard: 'hasError', target: 'recovering' }, { target: 'failed' }],
      },
    },
    after: { description: 'onAfterExecute', on: { succeeded: 'completed', failed: 'failed' } },
    recovering: {
      description: 'onError',
      on: { recovered: 'recovered', rethrown: 'failed', failed: 'failed' },
    },
    completed: { type: 'final' },
    recovered: { type: 'final' },
    cancelled: { type: 'final' },
    failed: { type: 'final' },
  },
});

export const isOutcome = (state: LifecycleState): state is LifecycleOutcome =>
  state === 'completed' || state === 'recovered' || state === 'cancelled' || state === 'failed';
