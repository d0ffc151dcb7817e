interface Measured {
  readonly at: number;
  readonly done: number;
}

const recentMs = 10_000;
const fewestMs = 500;

/** The rate of the last seconds, and the time that is left at this rate. */
export class RecentRate {
  #measured: readonly Measured[] = [];

  /** Empty before there is a measurement. */
  text(done: number, total: number, at: number): string {
    const last = this.#measured.at(-1);
    // What counts again from the beginning starts a new measurement.
    if (last !== undefined && done < last.done) this.#measured = [];
    if (last === undefined || at - last.at >= fewestMs || done < last.done)
      this.#measured = [...this.#measured.filter((one) => at - one.at <= recentMs), { at, done }];
    const [first] = this.#measured;
    if (first === undefined || at - first.at < fewestMs || done === first.done) return '';
    const perSecond = ((done - first.done) * 1_000) / (at - first.at);
    const leftSeconds = Math.max(1, Math.ceil((total - done) / perSecond));
    return `${rateOf(perSecond)}/s, ${remainingText(leftSeconds)} left`;
  }
}

const rateOf = (perSecond: number): string =>
  (perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond)).toLocaleString('en');

const remainingText = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
