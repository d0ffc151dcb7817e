import type { LifecycleFigures } from './lifecycle.js';
import type { RequestItem } from './requests.js';

/** One second of a host. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requests: number;
  readonly failed: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

/** The number of requests per edge since the last sample. */
export interface Flow {
  readonly tick: number;
  readonly edges: ReadonlyMap<string, number>;
}

const recentMs = 10_000;

/** Rates from two samples a second apart, times from the latest requests. */
export function sampleOf(
  at: number,
  before: LifecycleFigures,
  now: LifecycleFigures,
  latest: readonly RequestItem[],
): Sample {
  const recent = latest.filter(({ startedAt, ms }) => at - Date.parse(startedAt) - ms < recentMs);
  const times = recent.map(({ ms }) => ms).sort((one, other) => one - other);
  return {
    at,
    requests: Math.max(0, now.requests - before.requests),
    failed: Math.max(0, now.failed - before.failed),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** The values are sorted. */
export const quantile = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];

export function flowBetween(before: LifecycleFigures, now: LifecycleFigures): ReadonlyMap<string, number> {
  const counts = new Map(before.edges.map((edge) => [edgeKey(edge), edge.count]));
  const moved = now.edges.map(
    (edge) => [edgeKey(edge), edge.count - (counts.get(edgeKey(edge)) ?? 0)] as const,
  );
  return new Map(moved.filter(([, count]) => count > 0));
}

export const edgeKey = ({ from, event, to }: { from: string; event: string; to: string }): string =>
  `${from} ${event} ${to}`;
