import { type Chart, type ChartEdge, chartOf, type ChartState, type StateDefinition } from './statechart.js';

/** From one state to another by an event; a state is text such as `open.waiting` or `stock.reserved, payment.due`. */
interface Step {
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
}

/** The chart of a process, by the names that its rows have for states. */
export interface ProcessChart {
  readonly chart: Chart;
  /** `open.waiting` by the id of the state. */
  readonly paths: ReadonlyMap<string, string>;
}

export function processChartOf(machine: StateDefinition): ProcessChart {
  const chart = withRootEdges(chartOf(machine), machine);
  const paths = new Map<string, string>();
  const walk = (states: readonly ChartState[], before: string): void => {
    for (const { id, key, children } of states) {
      paths.set(id, before + key);
      walk(children, `${before}${key}.`);
    }
  };
  walk(chart.states, '');
  return { chart, paths };
}

/** What the machine does in any state is drawn from each that does not do something else. */
function withRootEdges({ states, edges }: Chart, { transitions = [] }: StateDefinition): Chart {
  const added = states
    .filter(({ final }) => !final)
    .flatMap(({ id: from }) =>
      transitions
        .filter(({ eventType }) => !edges.some((edge) => edge.from === from && edge.event === eventType))
        .flatMap(({ eventType, target = [] }) =>
          target.map((full): ChartEdge => {
            const [to, event] = [full.replace(/^#/, ''), eventType ?? ''];
            return { id: `${from} ${event} ${to}`, from, to, event, guard: undefined };
          }),
        ),
    );
  return { states, edges: [...edges, ...added.filter(({ from, to }) => from !== to)] };
}

/** The ids of the states that a text names, outer ones included. */
export const statesIn = ({ paths }: ProcessChart, text: string): readonly string[] =>
  [...paths].filter(([, path]) => isIn(path, activeIn(text))).map(([id]) => id);

/** How many are in each state, by its id. */
export function countsByState(
  process: ProcessChart,
  counted: readonly { readonly state: string; readonly count: number }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { state, count } of counted)
    for (const id of statesIn(process, state)) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

/** How often each edge was taken, by its id, and how many steps are on no edge. */
export function countsByEdge(
  process: ProcessChart,
  steps: readonly (Step & { readonly count: number })[],
): { readonly edges: ReadonlyMap<string, number>; readonly others: number } {
  const edges = new Map<string, number>();
  let others = 0;
  for (const step of steps) {
    const taken = edgesOfStep(process, step);
    for (const id of taken) edges.set(id, (edges.get(id) ?? 0) + step.count);
    if (taken.length === 0 && step.from !== null && step.from !== step.to) others += step.count;
  }
  return { edges, others };
}

/**
 * The edges that a step took: of each active state the innermost transition for its event, and what followed without an
 * event. Empty if none leads from the one state to the other, such as in a chart of another version.
 */
export function edgesOfStep({ chart, paths }: ProcessChart, { event, from, to }: Step): readonly string[] {
  if (from === null) return [];
  const pathOf = (id: string): string => paths.get(id) ?? '';
  const next = activeIn(to);
  const taken = new Set<string>();
  for (const active of activeIn(from)) {
    const ways = chart.edges
      .filter((edge) => isIn(pathOf(edge.from), [active]))
      .flatMap((edge) => {
        const rank = rankOf(edge.event, event);
        const way = rank === 0 ? undefined : wayFrom(edge, chart, pathOf, next);
        return way === undefined ? [] : [{ way, depth: pathOf(edge.from).length, rank }];
      })
      .toSorted((one, other) => other.depth - one.depth || other.rank - one.rank);
    for (const { id } of ways[0]?.way ?? []) taken.add(id);
  }
  return [...taken];
}

/** The edge, and the shortest way over automatic ones from its target to a state that is active afterwards. */
function wayFrom(
  first: ChartEdge,
  { edges }: Chart,
  pathOf: (id: string) => string,
  next: readonly string[],
): readonly ChartEdge[] | undefined {
  const ways: (readonly ChartEdge[])[] = [[first]];
  const seen = new Set([first.to]);
  for (const way of ways) {
    const here = pathOf(way.at(-1)?.to ?? '');
    if (isIn(here, next)) return way;
    for (const edge of edges) {
      const source = pathOf(edge.from);
      const follows = isAutomatic(edge.event) && (isIn(source, [here]) || isIn(here, [source]));
      if (!follows || seen.has(edge.to)) continue;
      seen.add(edge.to);
      ways.push([...way, edge]);
    }
  }
  return undefined;
}

const isAutomatic = (event: string): boolean => event === '' || event.startsWith('xstate.done.state.');

/** How exactly a transition names an event; 0: it does not. */
function rankOf(named: string, event: string): number {
  if (named === event) return event.length + 2;
  if (named === '*') return 1;
  return named.endsWith('.*') && event.startsWith(named.slice(0, -1)) ? named.length : 0;
}

const activeIn = (text: string): readonly string[] => text.split(', ');

/** Whether one of the active states is the state of this path, or within it. */
const isIn = (path: string, active: readonly string[]): boolean =>
  path !== '' && active.some((one) => one === path || one.startsWith(`${path}.`));
