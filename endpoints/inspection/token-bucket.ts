/** Lets so many through in a second, and no more at once. */
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
