import { type LifecycleAggregate, together } from '../../../endpoints/lifecycle/aggregates.js';
import { bucketCount, type Durations } from '../../../endpoints/lifecycle/durations.js';
import { edges } from '../../../endpoints/lifecycle/edges.js';

/** What the requests of a host did, small enough to be told every second: most buckets are empty. */
export interface SentCounts {
  readonly started: number;
  /** In the order of all edges. */
  readonly edges: readonly SentDurations[];
}

interface SentDurations {
  readonly count: number;
  readonly sumMs: number;
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

export const sentCounts = ({ started, edges: taken }: LifecycleAggregate): SentCounts => ({
  started,
  edges: taken.map(({ durations: { count, sumMs, buckets } }) => ({
    count,
    sumMs,
    buckets: [...buckets.entries()].filter(([, counted]) => counted > 0),
  })),
});

/** Several hosts as if they were one. */
export const countedTogether = (all: readonly SentCounts[]): LifecycleAggregate =>
  together(
    '',
    all.map(({ started, edges: sent }) => ({
      command: '',
      started,
      states: [],
      edges: edges.map((edge, number) => ({ ...edge, durations: durationsOf(sent[number]) })),
    })),
  );

function durationsOf({ count, sumMs, buckets: sent }: SentDurations = nothing): Durations {
  const buckets = new Float64Array(bucketCount);
  for (const [bucket, counted] of sent) buckets[bucket] = counted;
  return { count, sumMs, buckets };
}

const nothing: SentDurations = { count: 0, sumMs: 0, buckets: [] };
