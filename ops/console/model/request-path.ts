import type { RequestLine } from './requests.js';
import type { ChartEdge } from './statechart.js';

/** The states a request passed, its end included. */
export const statesOf = ({ states, outcome }: RequestLine): readonly string[] => [
  ...states.map(([state]) => state),
  outcome,
];

/** The edges a request took, as far as its states tell; where two lead the same way, the event decides. */
export function edgesTaken(request: RequestLine, edges: readonly ChartEdge[]): ReadonlySet<string> {
  const passed = statesOf(request);
  const taken = new Set<string>();
  for (const [index, from] of passed.entries()) {
    const to = passed[index + 1];
    const between = edges.filter((edge) => stateKeyOf(edge.from) === from && stateKeyOf(edge.to) === to);
    const threw = request.failedIn === from;
    const matching = between.find(({ event }) => (event === 'failed') === threw) ?? between[0];
    if (matching !== undefined) taken.add(matching.id);
  }
  return taken;
}

export const stateKeyOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);
