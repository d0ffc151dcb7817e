import type { StateValue } from 'xstate';

/** The state on one line: `reserving`, `open.waiting`, `stock.reserved, payment.waiting`. */
export const stateText = (value: StateValue): string => pathsOf(value).join(', ');

function pathsOf(value: StateValue | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Object.entries(value ?? {}).flatMap(([name, inner]) => {
    const paths = pathsOf(inner);
    return paths.length === 0 ? [name] : paths.map((path) => `${name}.${path}`);
  });
}
