/** One round at a time; whatever changes during a round leads to one more, and aborts the signal of this one. */
export class CoalescedRounds {
  #isWanted = false;
  #running = Promise.resolve();
  #outdated = new AbortController();

  constructor(private readonly round: (outdated: AbortSignal) => Promise<void>) {}

  request(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#outdated.abort();
    this.#running = this.#running.then(() => {
      this.#isWanted = false;
      this.#outdated = new AbortController();
      return this.round(this.#outdated.signal);
    });
  }
}
