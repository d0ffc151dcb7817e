import { type Distribution, Histogram } from '../../runtime/metrics/histogram.js';
import type { AttemptEnd } from './effect-machine.js';

const secondBounds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3_600];

/** The attempts of one effect on one host since it started. */
export class EffectFigures {
  readonly counts: Record<AttemptEnd, number> = {
    done: 0,
    failed: 0,
    retrying: 0,
    later: 0,
    stopped: 0,
    parked: 0,
    gone: 0,
  };
  /** Calls, also those that continue after their attempt. */
  running = 0;
  readonly #seconds = new Histogram(secondBounds);

  ended(end: AttemptEnd, ms: number): void {
    this.counts[end]++;
    this.#seconds.observe(ms / 1_000);
  }

  get seconds(): Distribution {
    return this.#seconds.read();
  }
}
