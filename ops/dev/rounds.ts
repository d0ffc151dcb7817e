/** One round at a time; whatever changes during a round leads to one more. */
export class Rounds {
  #isWanted = false;
  #running = Promise.resolve();

  constructor(private readonly round: (isOutdated: () => boolean) => Promise<void>) {}

  request(): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#running = this.#running.then(() => {
      this.#isWanted = false;
      return this.round(() => this.#isWanted);
    });
  }
}
