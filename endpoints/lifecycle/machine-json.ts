import type { AnyStateMachine } from 'xstate';

const known = new WeakMap<AnyStateMachine, string>();

/** The machine as JSON for Stately's tools; a function is shown by its name. */
export function machineJson(machine: AnyStateMachine): string {
  const before = known.get(machine);
  if (before !== undefined) return before;
  // The initial context is not part of the chart.
  const chart = 'context' in machine.config ? { ...machine.config, context: {} } : machine.config;
  const text = JSON.stringify(chart, (key, value: unknown) => {
    if (typeof value !== 'function') return value;
    return value.name === '' || value.name === key ? 'inline' : value.name;
  });
  known.set(machine, text);
  return text;
}
