/** Of a lease: to take it, to read, to write and to renew it. */
const questionsInALease = 4;
/** A store that takes longer for a question gives no lease that is of use. */
const mostMs = 20_000;

/**
 * How long a lease is asked for. It lasts for several answers of the store, however slow these are: hosts that lose their
 * leases before they have noted what they did would do the same work again and again.
 */
export class LeaseLength {
  #slowestMs = 0;
  #promisedUntil = Number.NEGATIVE_INFINITY;

  constructor(readonly leastMs: number) {}

  get ms(): number {
    const wanted = Math.min(this.#slowestMs * questionsInALease, mostMs);
    // Never less than what is left of an earlier one: a part of this host may rely on that.
    return Math.ceil(Math.max(this.leastMs, wanted, this.#promisedUntil - performance.now()));
  }

  /** For the question that is asked now. */
  next(): number {
    const { ms } = this;
    this.#promisedUntil = performance.now() + ms;
    return ms;
  }

  /** A question has taken so long. */
  answeredIn(ms: number): void {
    this.#slowestMs = Math.max(ms, this.#slowestMs / 2);
  }
}
