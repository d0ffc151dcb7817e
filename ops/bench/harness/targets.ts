import { type Rounds, valuesOf } from './rounds.js';
import { pairedRatios, type Spread, spreadOf } from './statistics.js';

/** The target of a figure: by itself, or as a ratio to the same figure of another variant. */
export interface Target {
  readonly figure: string;
  readonly of: string;
  readonly against?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  /** No round may miss it; otherwise the median counts. */
  readonly inEveryRound?: boolean;
  /** The value we aim for. */
  readonly aim?: number;
}

export interface Verdict extends Spread {
  readonly bar: Target;
  readonly verdict: 'pass' | 'short' | 'not measured';
}

export function evaluate(bar: Target, rounds: Rounds): Verdict {
  const values = valuesOf(rounds, bar.of, bar.figure);
  const compared =
    bar.against === undefined ? values : pairedRatios(values, valuesOf(rounds, bar.against, bar.figure));
  const spread = spreadOf(compared);
  return {
    bar,
    ...spread,
    verdict: verdictOn(bar.inEveryRound === true ? worstOf(compared, bar) : spread.median, bar),
  };
}

const worstOf = (values: readonly number[], { atMost }: Target): number =>
  values.length === 0 ? Number.NaN : atMost === undefined ? Math.min(...values) : Math.max(...values);

function verdictOn(value: number, { atLeast = -Infinity, atMost = Infinity }: Target): Verdict['verdict'] {
  if (Number.isNaN(value)) return 'not measured';
  return value >= atLeast && value <= atMost ? 'pass' : 'short';
}
