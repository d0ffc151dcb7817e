import type { RequestItem } from './requests.js';
import type { ChartEdge } from './statechart.js';

/** The states that a request passed, including its final state. */
export const statesOf = ({ states, outcome }: RequestItem): readonly string[] => [
  ...states.map(([state]) => state),
  outcome,
];

/** The edges that a request took, derived from its states; if two edges connect the same states, the event decides. */
export function edgesTaken(request: RequestItem, edges: readonly ChartEdge[]): ReadonlySet<string> {
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
