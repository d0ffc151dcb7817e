import {
  isOutcome,
  type LifecycleEvent,
  lifecycleMachine,
  type LifecycleOutcome,
  type LifecycleState,
} from './lifecycle-machine.js';

export type Trigger = LifecycleEvent['type'];
export type WorkingState = Exclude<LifecycleState, LifecycleOutcome>;

/** A transition from one state to another, with its trigger. */
export interface Edge {
  readonly from: WorkingState;
  readonly trigger: Trigger;
  readonly to: LifecycleState;
}

/** The states in the order in which a request can pass them, each at most once. */
export const states = Object.keys(lifecycleMachine.states) as readonly LifecycleState[];

export const workingStates = states.filter((state): state is WorkingState => !isOutcome(state));

/** Every edge of the statechart, whatever hooks an endpoint has. It is read from the machine itself. */
export const edges: readonly Edge[] = workingStates.flatMap((from) =>
  [...(lifecycleMachine.states[from]?.transitions ?? [])].flatMap(([trigger, candidates]) =>
    candidates.flatMap(({ target }) =>
      (target ?? []).map((to): Edge => ({
        from,
        trigger: trigger as Trigger,
        to: to.key as LifecycleState,
      })),
    ),
  ),
);

const stateNumbers = new Map<LifecycleState, number>(states.map((state, number) => [state, number]));
const triggers = [...new Set(edges.map(({ trigger }) => trigger))];
const triggerNumbers = new Map<Trigger, number>(triggers.map((trigger, number) => [trigger, number]));

const numbers = new Int16Array(states.length * triggers.length * states.length).fill(-1);

const edgeKey = (from: number, trigger: Trigger, to: number): number =>
  (from * triggers.length + (triggerNumbers.get(trigger) ?? 0)) * states.length + to;

for (const [number, { from, trigger, to }] of edges.entries()) {
  numbers[edgeKey(stateNumber(from), trigger, stateNumber(to))] = number;
}

export function stateNumber(state: LifecycleState): number {
  return stateNumbers.get(state) ?? 0;
}

/** The index of an edge in `edges`, from the indexes of its states; −1 if the statechart has no such edge. */
export function edgeNumber(from: number, trigger: Trigger, to: number): number {
  return numbers[edgeKey(from, trigger, to)] ?? -1;
}
