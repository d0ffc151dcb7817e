import type { AnyStateMachine } from 'xstate';

const known = new WeakMap<AnyStateMachine, string>();

/** The machine as JSON for Stately's tools; a function is shown by its name. */
export function machineJson(machine: AnyStateMachine): string {
  const before = known.get(machine);
  if (before !== undefined) return before;
  const text = JSON.stringify(machine.config, (key, value: unknown) => {
    if (typeof value !== 'function') return value;
    // The initial context is not part of the chart.
    return key === 'context' ? {} : value.name === '' || value.name === key ? 'inline' : value.name;
  });
  known.set(machine, text);
  return text;
}
