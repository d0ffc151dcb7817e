import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, StateValue } from 'xstate';

/**
 * The value of a snapshot with the regions of parallel states in the order of the machine. XState leaves them in the
 * order in which they were entered, and would run their transitions in that order.
 */
export const orderedValue = ({ value, machine }: AnyMachineSnapshot): StateValue =>
  ordered(value as StateValue, (machine as { readonly root: AnyStateNode }).root);

function ordered(value: StateValue, node: AnyStateNode): StateValue {
  if (typeof value === 'string') return value;
  const found = Object.entries(node.states as Readonly<Record<string, AnyStateNode>>).flatMap(
    ([name, child]) => {
      const inner = value[name];
      return inner === undefined ? [] : [[name, ordered(inner, child)] as const];
    },
  );
  return Object.fromEntries(found);
}

/** A state on one line: `reserving`, `open.waiting`, `stock.reserved, payment.waiting`. */
export const stateText = (snapshot: AnyMachineSnapshot): string => pathsOf(orderedValue(snapshot)).join(', ');

function pathsOf(value: StateValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => {
    const paths = pathsOf(inner);
    return paths.length === 0 ? [name] : paths.map((path) => `${name}.${path}`);
  });
}

/** Every state of a machine, also the outer ones: `open`, `open.waiting`. */
export const stateNames = (machine: AnyStateMachine): readonly string[] =>
  namesIn((machine as { readonly root: AnyStateNode }).root);

const namesIn = (node: AnyStateNode): readonly string[] =>
  Object.values(node.states as Readonly<Record<string, AnyStateNode>>).flatMap((child) => [
    child.path.join('.'),
    ...namesIn(child),
  ]);

/** Whether a state on one line is this one, is inside of it, or has it among its regions. */
export const isInState = (text: string, name: string): boolean =>
  text.split(', ').some((one) => one === name || one.startsWith(`${name}.`));
