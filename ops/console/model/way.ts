import type { RequestLine } from './requests.js';
import type { ChartEdge } from './statechart.js';

/** The states a request passed, its end included. */
export const statesOf = ({ states, outcome }: RequestLine): readonly string[] => [
  ...states.map(([state]) => state),
  outcome,
];

/** The edges a request took, as far as its states tell; where two lead the same way, the event decides. */
export function wayOf(request: RequestLine, edges: readonly ChartEdge[]): ReadonlySet<string> {
  const passed = statesOf(request);
  const taken = new Set<string>();
  for (const [index, from] of passed.entries()) {
    const to = passed[index + 1];
    const between = edges.filter((edge) => keyOf(edge.from) === from && keyOf(edge.to) === to);
    const threw = request.failedIn === from;
    const fitting = between.find(({ event }) => (event === 'failed') === threw) ?? between[0];
    if (fitting !== undefined) taken.add(fitting.id);
  }
  return taken;
}

export const keyOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);
