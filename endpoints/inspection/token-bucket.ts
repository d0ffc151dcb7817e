/** Limits the rate per second, and the burst to the same number. */
export class TokenBucket {
  #tokens: number;
  #filledMs = 0;

  constructor(private readonly perSecond: number) {
    this.#tokens = perSecond;
  }

  take(nowMs: number): boolean {
    const earned = ((nowMs - this.#filledMs) * this.perSecond) / 1000;
    this.#tokens = Math.min(this.perSecond, this.#tokens + Math.max(0, earned));
    this.#filledMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
