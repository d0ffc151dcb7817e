import type { Sample } from './samples.js';

interface Box {
  readonly width: number;
  readonly height: number;
}

/** The rates and the slowest requests of a time as lines, each on its own scale. */
interface ThroughputLines {
  readonly requests: string;
  readonly rejected: string;
  readonly failed: string;
  readonly slowest: string;
  /** The largest value of each scale. */
  readonly mostPerSecond: number;
  readonly mostMs: number;
}

const shownMs = 90_000;
const leastPerSecond = 5;
const leastMs = 10;

/** The newest sample is at the right edge; a sample without a duration is left out. */
export function throughputLines(samples: readonly Sample[], { width, height }: Box): ThroughputLines {
  const end = samples.at(-1)?.at ?? 0;
  const shown = samples.filter(({ at }) => end - at <= shownMs);
  const most = (least: number, of: (sample: Sample) => number): number =>
    niceAbove(shown.reduce((all, sample) => Math.max(all, of(sample)), least));
  const mostPerSecond = most(leastPerSecond, ({ requests, rejected, failed }) =>
    Math.max(requests, rejected, failed),
  );
  const mostMs = most(leastMs, ({ p99Ms = 0 }) => p99Ms);
  const line = (of: (sample: Sample) => number | undefined, all: number): string =>
    shown
      .flatMap((sample) => {
        const value = of(sample);
        if (value === undefined) return [];
        const x = width * (1 - (end - sample.at) / shownMs);
        return `${x.toFixed(1)},${(height * (1 - value / all)).toFixed(1)}`;
      })
      .join(' ');
  return {
    requests: line(({ requests }) => requests, mostPerSecond),
    rejected: line(({ rejected }) => rejected, mostPerSecond),
    failed: line(({ failed }) => failed, mostPerSecond),
    slowest: line(({ p99Ms }) => p99Ms, mostMs),
    mostPerSecond,
    mostMs,
  };
}

/** The next of 1, 2, 5, 10, 20 … above a value. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}
