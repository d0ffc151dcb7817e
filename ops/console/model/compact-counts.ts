import type { UnstartedCounts } from '../../../endpoints/inspection/unstarted-records.js';
import { type LifecycleAggregate, mergeAggregates } from '../../../endpoints/lifecycle/lifecycle-counts.js';
import { bucketCount, type Durations } from '../../../endpoints/lifecycle/duration-buckets.js';
import { edges } from '../../../endpoints/lifecycle/lifecycle-machine.js';

/** The counts of a host's requests, small enough to send every second: most buckets are empty. */
export interface CompactCounts extends UnstartedCounts {
  readonly started: number;
  /** In the order of all edges. */
  readonly edges: readonly CompactDurations[];
}

interface CompactDurations {
  readonly count: number;
  readonly sumMs: number;
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

export const toCompactCounts = (
  { started, edges: counts }: LifecycleAggregate,
  unstarted: UnstartedCounts,
): CompactCounts => ({
  ...unstarted,
  started,
  edges: counts.map(({ durations: { count, sumMs, buckets } }) => ({
    count,
    sumMs,
    buckets: [...buckets.entries()].filter(([, counted]) => counted > 0),
  })),
});

/** Adds up several hosts; a host of an earlier version does not send all counts. */
export const sumUnstarted = (all: readonly Partial<UnstartedCounts>[]): UnstartedCounts => ({
  rejected: all.reduce((sum, { rejected = 0 }) => sum + rejected, 0),
  replayed: all.reduce((sum, { replayed = 0 }) => sum + replayed, 0),
  crashed: all.reduce((sum, { crashed = 0 }) => sum + crashed, 0),
});

/** Combines several hosts. */
export const combineCompactCounts = (all: readonly CompactCounts[]): LifecycleAggregate =>
  mergeAggregates(
    '',
    all.map(({ started, edges: sent }) => ({
      command: '',
      started,
      states: [],
      edges: edges.map((edge, number) => ({ ...edge, durations: durationsOf(sent[number]) })),
    })),
  );

function durationsOf({ count, sumMs, buckets: sent }: CompactDurations = nothing): Durations {
  const buckets = new Float64Array(bucketCount);
  for (const [bucket, counted] of sent) buckets[bucket] = counted;
  return { count, sumMs, buckets };
}

const nothing: CompactDurations = { count: 0, sumMs: 0, buckets: [] };
