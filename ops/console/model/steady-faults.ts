import { type Fault, gravityOf } from './state-sentence.js';

/** A fault that has become milder or has gone is shown for this long. */
const calmMs = 5_000;

/** Keeps the first of several faults first, so that the bar does not flicker. */
export class SteadyFaults {
  #shown: Fault | undefined;
  #seenAt = 0;

  /** The worst come first in `faults`; what is worse than before is shown at once. */
  order(faults: readonly Fault[], at: number): readonly Fault[] {
    const [worst] = faults;
    const shown = this.#shown;
    if (shown === undefined || (worst !== undefined && gravityOf(worst) > gravityOf(shown)))
      return this.#show(faults, at);
    const same = faults.find(({ cause }) => cause === shown.cause);
    if (same !== undefined && gravityOf(same) === gravityOf(shown)) this.#seenAt = at;
    if (at - this.#seenAt >= calmMs) return this.#show(faults, at);
    const first = { ...(same ?? shown), level: shown.level };
    this.#shown = first;
    return [first, ...faults.filter((one) => one !== same)];
  }

  #show(faults: readonly Fault[], at: number): readonly Fault[] {
    [this.#shown] = faults;
    this.#seenAt = at;
    return faults;
  }
}
