import { bucketCount, bucketOf, type Durations, sumOf } from './duration-buckets.js';
import { type Edge, edges, type LifecycleState, states } from './lifecycle-machine.js';

interface EdgeAggregate extends Edge {
  /** How long requests were in its source state before they took this edge. */
  readonly durations: Durations;
}

interface StateAggregate {
  readonly state: LifecycleState;
  readonly entered: number;
  readonly inFlight: number;
  readonly durations: Durations;
}

/** The requests of one command since the host started. */
export interface LifecycleAggregate {
  readonly command: string;
  readonly started: number;
  readonly states: readonly StateAggregate[];
  readonly edges: readonly EdgeAggregate[];
}

/** Counts and times every edge that requests of one command take; everything else is derived. */
export class LifecycleCounts {
  #started = 0;
  readonly #counts = new Float64Array(edges.length);
  readonly #sumUs = new Float64Array(edges.length);
  readonly #buckets = new Float64Array(edges.length * bucketCount);

  constructor(readonly command: string) {}

  begin(): void {
    this.#started++;
  }

  /** Counts an edge, with the time spent in its source state. */
  count(edge: number, us: number): void {
    if (edge < 0) return;
    this.#counts[edge] = (this.#counts[edge] ?? 0) + 1;
    this.#sumUs[edge] = (this.#sumUs[edge] ?? 0) + us;
    const bucket = edge * bucketCount + bucketOf(us);
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
  }

  aggregate(): LifecycleAggregate {
    const edgeAggregates = edges.map((edge, number) => ({ ...edge, durations: this.#durationsOf(number) }));
    return aggregateOf(this.command, this.#started, edgeAggregates);
  }

  #durationsOf(edge: number): Durations {
    return {
      count: this.#counts[edge] ?? 0,
      sumMs: (this.#sumUs[edge] ?? 0) / 1000,
      buckets: this.#buckets.slice(edge * bucketCount, (edge + 1) * bucketCount),
    };
  }
}

const aggregateOf = (
  command: string,
  started: number,
  edgeAggregates: readonly EdgeAggregate[],
): LifecycleAggregate => ({
  command,
  started,
  states: states.map((state) => stateAggregate(state, started, edgeAggregates)),
  edges: edgeAggregates,
});

function stateAggregate(
  state: LifecycleState,
  started: number,
  edgeAggregates: readonly EdgeAggregate[],
): StateAggregate {
  const durations = sumOf(edgeAggregates.filter(({ from }) => from === state).map((edge) => edge.durations));
  const arrivals = edgeAggregates
    .filter(({ to }) => to === state)
    .reduce((sum, edge) => sum + edge.durations.count, 0);
  const entered = state === states[0] ? started : arrivals;
  const isLeft = edgeAggregates.some(({ from }) => from === state);
  return { state, entered, inFlight: isLeft ? entered - durations.count : 0, durations };
}

export function mergeAggregates(command: string, all: readonly LifecycleAggregate[]): LifecycleAggregate {
  const edgeAggregates = edges.map((edge, number) => ({
    ...edge,
    durations: sumOf(all.flatMap((one) => one.edges[number]?.durations ?? [])),
  }));
  const started = all.reduce((sum, one) => sum + one.started, 0);
  return aggregateOf(command, started, edgeAggregates);
}
