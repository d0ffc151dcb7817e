/** The median of several rounds, and their interquartile range. */
export interface Spread {
  readonly median: number;
  readonly p25: number;
  readonly p75: number;
}

/** Linear between the two nearest values; NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: quantile(values, 0.5),
  p25: quantile(values, 0.25),
  p75: quantile(values, 0.75),
});

/** Each round's value divided by the same round's value of another variant: what slows a whole round cancels out. */
export const pairedRatios = (values: readonly number[], against: readonly number[]): number[] =>
  values
    .slice(0, against.length)
    .map((value, round) => value / (against[round] ?? Number.NaN))
    .filter(Number.isFinite);
