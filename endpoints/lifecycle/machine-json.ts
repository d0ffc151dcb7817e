import type { AnyStateMachine } from 'xstate';

/** The machine as JSON for Stately's tools; a function is shown by its name. */
export function machineJson(machine: AnyStateMachine): string {
  // The initial context is not part of the chart.
  const chart = 'context' in machine.config ? { ...machine.config, context: {} } : machine.config;
  return JSON.stringify(chart, (key, value: unknown) => {
    if (typeof value !== 'function') return value;
    return value.name === '' || value.name === key ? 'inline' : value.name;
  });
}
