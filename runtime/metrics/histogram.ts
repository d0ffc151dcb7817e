/** Counts how many values fall below each bound; costs a few comparisons per value. */
export class Histogram {
  readonly #counts: Float64Array;
  #sum = 0;

  /** Ascending. */
  constructor(readonly bounds: readonly number[]) {
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  read(): Distribution {
    let seen = 0;
    const below = this.bounds.map((bound, index): [number, number] => [
      bound,
      (seen += this.#counts[index] ?? 0),
    ]);
    return { below, count: seen + (this.#counts.at(-1) ?? 0), sum: this.#sum };
  }
}

/** The distribution of values: for each bound, how many do not exceed it. */
export interface Distribution {
  readonly below: readonly (readonly [bound: number, count: number])[];
  readonly count: number;
  readonly sum: number;
}
