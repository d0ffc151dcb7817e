import type { AnyStateMachine } from 'xstate';

const known = new WeakMap<AnyStateMachine, string>();

/** The machine as the JSON that Stately's tools read; a function stands there by its name. */
export function machineJson(machine: AnyStateMachine): string {
  const before = known.get(machine);
  if (before !== undefined) return before;
  const text = JSON.stringify(machine.config, (key, value: unknown) => {
    if (typeof value !== 'function') return value;
    // What the context starts with is no part of the chart.
    return key === 'context' ? {} : value.name === '' || value.name === key ? 'inline' : value.name;
  });
  known.set(machine, text);
  return text;
}
