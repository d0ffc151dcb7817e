import { nextTurn } from './turns.js';

/** The results of one measurement of one variant, by the name of the figure. */
export type Figures = Readonly<Record<string, number>>;

export interface Variant {
  readonly name: string;
  readonly measure: () => Promise<Figures>;
}

/** The figures of every round, by variant. */
export type Rounds = ReadonlyMap<string, readonly Figures[]>;

/** A, B, C, A, B, C …: a noisy minute on the machine affects all of them, and so for two builds side by side. */
export async function interleave(
  variants: readonly Variant[],
  rounds: number,
  signal: AbortSignal,
): Promise<Rounds> {
  const found = new Map<string, Figures[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of variants) {
      signal.throwIfAborted();
      await nextTurn();
      found.get(name)?.push(await measure());
    }
  }
  return found;
}

export const valuesOf = (rounds: Rounds, variant: string, figure: string): number[] =>
  (rounds.get(variant) ?? []).map((figures) => figures[figure] ?? Number.NaN).filter(Number.isFinite);
