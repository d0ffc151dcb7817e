/** So long one is expected to come again. */
const rememberedMs = 10_000;

/** Whether more than one tenant, or sender, came lately: while one is alone, nobody waits behind it. */
export class Several {
  /** Null: none was seen. */
  #last: string | undefined | null = null;
  #until = -Infinity;

  seen(name: string | undefined): void {
    if (name === this.#last) return;
    if (this.#last !== null) this.#until = performance.now() + rememberedMs;
    this.#last = name;
  }

  get isNow(): boolean {
    return this.#until > performance.now();
  }
}
