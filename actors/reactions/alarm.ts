/** Wakes a loop; what wakes it while it is busy wakes it at once when it sleeps. */
export class Alarm {
  #isRinging = false;
  #wake: (() => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();

  ring(): void {
    this.#isRinging = true;
    this.#wake?.();
  }

  async sleep(): Promise<void> {
    if (!this.#isRinging)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = undefined;
    this.#isRinging = false;
  }

  ringAfter(ms: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
      this.ring();
    }, ms);
    this.#timers.add(timer);
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
