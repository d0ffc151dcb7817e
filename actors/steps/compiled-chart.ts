import {
  type ActorLogic,
  type AnyStateMachine,
  type EventObject,
  initialTransition,
  type Snapshot,
  transition,
} from 'xstate';

/** A state of the table; one frozen snapshot serves all its actors. */
export type ChartSnapshot<S extends string = string> = Snapshot<undefined> & { readonly value: S };

/**
 * The transitions of a machine as the logic of an actor, found by running the machine itself. The machine must be flat
 * and without actions. XState's interpreter would take a hundred times as long for each event.
 */
export function compiledChart<S extends string, E extends EventObject>(
  machine: AnyStateMachine,
  context: object = {},
): ActorLogic<ChartSnapshot<S>, E, unknown> {
  const nodes = Object.values(machine.states);
  const snapshots = new Map(nodes.map(({ key, type }) => [key, snapshotOf(key as S, type === 'final')]));
  const table = new Map(
    nodes.map(({ key, ownEvents }) => {
      const here = machine.resolveState({ value: key, context });
      const after = (type: string) => snapshots.get(String(transition(machine, here, { type })[0].value));
      return [key, new Map(ownEvents.map((type: string) => [type, after(type)]))];
    }),
  );
  const initial = snapshots.get(String(initialTransition(machine, context)[0].value));
  return {
    getInitialSnapshot: () => initial as ChartSnapshot<S>,
    transition: (snapshot, event) => table.get(snapshot.value)?.get(event.type) ?? snapshot,
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}

const snapshotOf = <S extends string>(value: S, isFinal: boolean): ChartSnapshot<S> =>
  Object.freeze({
    value,
    status: isFinal ? 'done' : 'active',
    output: undefined,
    error: undefined,
  } as ChartSnapshot<S>);
