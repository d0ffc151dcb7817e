import type { NamedMachine } from '../../service/state-machines.js';
import type { StateDefinition } from './statechart.js';

type Machine = NamedMachine['machine'];
type StateNode = Machine['root'];

/** The states and transitions of a machine, those without an event included, which XState's own definition leaves out. */
export const definitionOf = (machine: Machine): StateDefinition => stateOf(machine.root);

function stateOf(node: StateNode): StateDefinition {
  const { id, key, type, description, transitions, always = [] } = node;
  const first = type === 'compound' ? node.initial.target : undefined;
  const children = Object.entries(node.states as Readonly<Record<string, StateNode>>);
  return {
    id,
    key,
    type,
    ...(description === undefined ? {} : { description }),
    ...(first === undefined ? {} : { initial: { target: first.map((state) => `#${state.id}`) } }),
    states: Object.fromEntries(children.map(([name, child]) => [name, stateOf(child)])),
    transitions: [...[...transitions.values()].flat(), ...always].map(({ eventType, target, guard }) => ({
      eventType,
      source: `#${id}`,
      target: target?.map((state) => `#${state.id}`),
      guard: guardName(guard),
    })),
  };
}

/** A function without a name, and what makes guards of others, have no name to show. */
function guardName(guard: unknown): string | undefined {
  if (typeof guard === 'string') return guard;
  const { type, name } = (guard ?? {}) as { readonly type?: unknown; readonly name?: unknown };
  if (typeof type === 'string') return type;
  return typeof name === 'string' && name !== '' && name !== 'guard' ? name : undefined;
}
