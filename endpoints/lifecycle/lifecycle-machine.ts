import { setup } from 'xstate';
import type { FailingState, LifecycleEnd } from '../../runtime/request/observer.js';

/** Which optional steps an endpoint has. An absent step is never entered. */
export interface LifecyclePlan {
  readonly mapsRequest: boolean;
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly hasError: boolean;
}

/** How a request ended; also the names of the final states. */
export type LifecycleOutcome = LifecycleEnd<unknown>['outcome'];

export type LifecycleState = FailingState | LifecycleOutcome;

/** What came of the work of a state. */
export type Trigger = 'passed' | 'cancelled' | 'succeeded' | 'failed' | 'recovered' | 'rethrown';

export type LifecycleEvent = { readonly [T in Trigger]: { readonly type: T } }[Trigger];

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

export interface Edge {
  readonly from: FailingState;
  readonly trigger: Trigger;
  readonly to: LifecycleState;
}

/** The states in the order in which a request can pass them, each at most once. */
export const states = Object.keys(lifecycleMachine.states) as readonly LifecycleState[];

export const workingStates = states.filter((state): state is FailingState => !isOutcome(state));

/** Every edge of the statechart, whatever hooks an endpoint has. It is read from the machine itself. */
export const edges: readonly Edge[] = workingStates.flatMap((from) =>
  [...(lifecycleMachine.states[from]?.transitions ?? [])].flatMap(([trigger, candidates]) =>
    candidates.flatMap(({ target }) => (target ?? []).map((to) => ({ from, trigger, to: to.key }) as Edge)),
  ),
);

const stateNumbers = new Map<string, number>(states.map((state, number) => [state, number]));
export function stateNumber(state: string): number {
  return stateNumbers.get(state) ?? 0;
}

/** The edges that leave each state, by the number of the state. */
const leaving = states.map((state) =>
  edges.map((edge, number) => ({ ...edge, number })).filter(({ from }) => from === state),
);

/** The index in `edges` of an edge that leaves a state; −1 if the statechart has no such edge. */
export function edgeNumber(from: number, trigger: string, to: string): number {
  for (const edge of leaving[from] ?? []) if (edge.trigger === trigger && edge.to === to) return edge.number;
  return -1;
}
