import { type Distribution, Histogram } from '../../runtime/metrics/histogram.js';
import type { FiringOutcome } from './fire-timer.js';

/** The others say nothing about the timer: another host has it, or it is tried again at once. */
const counted = ['fired', 'dropped', 'retrying', 'parked'] as const;
type CountedOutcome = (typeof counted)[number];

const secondBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600];

/** The timers that one host has fired since it started. */
export class TimerFigures {
  readonly counts: Record<CountedOutcome, number> = { fired: 0, dropped: 0, retrying: 0, parked: 0 };
  readonly #lateness = new Histogram(secondBounds);

  /** Lateness is by the clock of the database, when the timer was read. */
  fired(outcome: FiringOutcome, lateMs: number): void {
    const name = counted.find((each) => each === outcome);
    if (name === undefined) return;
    this.counts[name]++;
    if (name === 'fired') this.#lateness.observe(Math.max(0, lateMs) / 1_000);
  }

  /** In seconds. */
  get lateness(): Distribution {
    return this.#lateness.read();
  }
}
