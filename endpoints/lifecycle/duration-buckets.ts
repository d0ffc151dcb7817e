const linear = 8;
const octaves = 29;

/** Log-linear: exact below 8 µs, then eight buckets per doubling, up to half an hour. */
export const bucketCount = octaves * linear;

const maxUs = 2 ** 31 - 1;

export function bucketOf(us: number): number {
  if (us < linear) return us > 0 ? us | 0 : 0;
  const whole = us < maxUs ? us | 0 : maxUs;
  const octave = 31 - Math.clz32(whole);
  return (octave - 2) * linear + ((whole >> (octave - 3)) & (linear - 1));
}

/** The exclusive upper bound of a bucket, in microseconds. */
export function upperBoundUs(bucket: number): number {
  if (bucket < linear) return bucket + 1;
  const octave = Math.floor(bucket / linear) + 2;
  return (linear + (bucket % linear) + 1) * 2 ** (octave - 3);
}

export interface Durations {
  readonly count: number;
  readonly sumMs: number;
  readonly buckets: Float64Array;
}

/** The middle of the bucket that holds the quantile, at most 7 % off; undefined without measurements. */
export function quantileMs({ count, buckets }: Durations, quantile: number): number | undefined {
  if (count === 0) return undefined;
  const rank = Math.max(1, Math.ceil(quantile * count));
  let seen = 0;
  for (let bucket = 0; bucket < buckets.length; bucket++) {
    seen += buckets[bucket] ?? 0;
    if (seen >= rank) return (lowerBoundUs(bucket) + upperBoundUs(bucket)) / 2 / 1000;
  }
  return undefined;
}

/** How many took less than this; exact at bucket bounds, such as every power of two in microseconds. */
export function countBelow({ buckets }: Durations, us: number): number {
  let count = 0;
  for (let bucket = 0; bucket < buckets.length && upperBoundUs(bucket) <= us; bucket++) {
    count += buckets[bucket] ?? 0;
  }
  return count;
}

export function sumOf(all: readonly Durations[]): Durations {
  const buckets = new Float64Array(bucketCount);
  for (const one of all) {
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      buckets[bucket] = (buckets[bucket] ?? 0) + (one.buckets[bucket] ?? 0);
    }
  }
  const total = (figure: 'count' | 'sumMs') => all.reduce((sum, one) => sum + one[figure], 0);
  return { count: total('count'), sumMs: total('sumMs'), buckets };
}

const lowerBoundUs = (bucket: number): number => (bucket === 0 ? 0 : upperBoundUs(bucket - 1));
