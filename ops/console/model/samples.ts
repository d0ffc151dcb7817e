import type { LifecycleFigures } from './lifecycle.js';
import type { Counts, PastCounts } from './recent-counts.js';
import type { RequestItem } from './requests.js';
import type { RecentRequests } from './state-sentence.js';

/** The rates of a host since the sample before. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Since the sample before; a stalled host or page is sampled late. */
  readonly seconds: number;
  /** Per second, as all rates. */
  readonly requests: number;
  readonly failed: number;
  readonly crashed: number;
  readonly rejected: number;
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

/** The number of requests per edge since the last sample. */
export interface Flow {
  readonly tick: number;
  readonly edges: ReadonlyMap<string, number>;
}

const recentMs = 10_000;
const minuteMs = 60_000;

/** What was counted at a time. */
interface Counted {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly figures: Counts;
}

/** Rates from the counts at two times, durations from the latest requests. */
export function sampleOf(before: Counted, now: Counted, latest: readonly RequestItem[]): Sample {
  const { at, figures } = now;
  const seconds = Math.max(0.001, (at - before.at) / 1000);
  const rate = (count: (of: Counts) => number): number =>
    Math.max(0, count(figures) - count(before.figures)) / seconds;
  const recent = latest.filter((request) => at - endOf(request) < recentMs);
  const times = recent.map(({ ms }) => ms).sort((one, other) => one - other);
  return {
    at,
    seconds,
    requests: rate(allRequests),
    failed: rate(({ failed }) => failed),
    crashed: rate(({ crashed }) => crashed),
    rejected: rate(({ rejected }) => rejected),
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** What a host counted before the page was opened; the counts are oldest first. */
export function pastSamples(
  past: readonly PastCounts[],
  now: number,
  latest: readonly RequestItem[],
): readonly Sample[] {
  const counted = past.map(({ agoMs, ...figures }) => ({ at: now - agoMs, figures }));
  return counted.slice(1).map((one, index) => {
    const ended = latest.filter((request) => endOf(request) <= one.at);
    return sampleOf(counted[index] ?? one, one, ended);
  });
}

const endOf = ({ startedAt, ms }: RequestItem): number => Date.parse(startedAt) + ms;

/** Also those that were answered before their lifecycle began. */
export const allRequests = ({ requests, rejected, replayed }: Counts): number =>
  requests + rejected + replayed;

/** The number of requests of the last minute, or since the first sample. */
export function recentRequests(samples: readonly Sample[]): RecentRequests {
  const last = samples.at(-1)?.at ?? 0;
  const recent = samples.filter(({ at }) => last - at < minuteMs);
  const sum = (rate: (sample: Sample) => number): number =>
    Math.round(recent.reduce((total, sample) => total + rate(sample) * sample.seconds, 0));
  return {
    seconds: recent.reduce((total, { seconds }) => total + seconds, 0),
    requests: sum(({ requests }) => requests),
    crashed: sum(({ crashed }) => crashed),
    rejected: sum(({ rejected }) => rejected),
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
