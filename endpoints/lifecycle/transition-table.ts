import { type ActorLogic, type AnyStateMachine, initialTransition, type Snapshot, transition } from 'xstate';
import { Problem } from '../../contracts/problems.js';

/** A state of a compiled machine; one frozen snapshot serves all requests. */
type TableSnapshot = Snapshot<undefined> & { readonly value: string };

type Table = ReadonlyMap<string, ReadonlyMap<string, TableSnapshot>>;

interface TableEvent {
  readonly type: string;
}

/**
 * Compiles the machine's transition table for one input into actor logic, by running the machine itself. Only a flat
 * machine whose guards depend on the input alone fits into a table; anything else is refused.
 */
export function compileTable(
  machine: AnyStateMachine,
  input: unknown,
): ActorLogic<TableSnapshot, TableEvent, unknown> {
  refuseMoreThanATable(machine);
  const { initial, table } = derive(machine, input);
  return {
    getInitialSnapshot: () => initial,
    transition: (snapshot, event) => table.get(snapshot.value)?.get(event.type) ?? snapshot,
    getPersistedSnapshot: (snapshot) => snapshot,
  };
}

function derive(machine: AnyStateMachine, input: unknown): { initial: TableSnapshot; table: Table } {
  const snapshots = new Map<string, TableSnapshot>();
  const snapshotOf = (value: string, done: boolean): TableSnapshot => {
    const known = snapshots.get(value);
    if (known !== undefined) return known;
    const made: TableSnapshot = Object.freeze({
      value,
      ...(done
        ? ({ status: 'done', output: undefined, error: undefined } as const)
        : ({ status: 'active', output: undefined, error: undefined } as const)),
    });
    snapshots.set(value, made);
    return made;
  };
  const [first] = initialTransition(machine, input);
  const table = new Map<string, Map<string, TableSnapshot>>();
  const open = [first];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const value = String(state.value);
    if (table.has(value)) continue;
    const row = new Map<string, TableSnapshot>();
    table.set(value, row);
    for (const type of machine.states[value]?.ownEvents ?? []) {
      const [next] = transition(machine, state, { type });
      row.set(type, snapshotOf(String(next.value), next.status === 'done'));
      open.push(next);
    }
  }
  return { initial: snapshotOf(String(first.value), first.status === 'done'), table };
}

function refuseMoreThanATable(machine: AnyStateMachine): void {
  const refuse = (what: string): never => {
    throw new Problem('invalid-setup', {
      detail: `Machine ${machine.id} has ${what}; a transition table cannot express that.`,
    });
  };
  const root = machine.root;
  if (root.type !== 'compound') refuse(`a ${root.type} root`);
  if (root.transitions.size > 0) refuse('transitions at its root');
  for (const node of [root, ...Object.values(machine.states)]) {
    if (node !== root && node.type !== 'atomic' && node.type !== 'final')
      refuse(`the ${node.type} state ${node.key}`);
    // A delay is also an entry action: report it by its own name.
    if (node.after.length > 0) refuse(`a delay in ${node.key}`);
    if (node.invoke.length > 0) refuse(`an invoke in ${node.key}`);
    if (node.entry.length + node.exit.length > 0) refuse(`entry or exit actions in ${node.key}`);
    if ((node.always ?? []).length > 0) refuse(`an eventless transition in ${node.key}`);
    if (node.output !== undefined) refuse(`an output in ${node.key}`);
    for (const [type, candidates] of node.transitions) {
      if (type.includes('*')) refuse(`a wildcard event in ${node.key}`);
      if (candidates.some(({ actions }) => actions.length > 0)) refuse(`actions on ${type} in ${node.key}`);
    }
  }
}
