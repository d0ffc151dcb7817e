/** How many events the cursors of a host handle at once. */
const maxInFlight = 256;

/** Slots that the cursors of a host share. */
export class InFlight {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit = maxInFlight) {
    this.#free = limit;
  }

  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
