/** Wakes a loop; what wakes it while it is busy wakes it at once when it sleeps. */
export class Alarm {
  #isRinging = false;
  #wake: (() => void) | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();

  ring(): void {
    this.#isRinging = true;
    this.#wake?.();
  }

  /** Until it rings, or for this long. */
  async sleep(ms?: number): Promise<void> {
    if (!this.#isRinging)
      await new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, Math.max(0, ms));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
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
