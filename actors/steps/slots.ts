/** Who holds this many times what is free gets no more, so that others always find something. */
const greed = 3;

/** What a host does at once, of all names together: one whose work hangs or fails leaves room for the others. */
export class Slots {
  readonly #held = new Map<string, number>();
  #used = 0;

  constructor(private readonly limit: number) {}

  get free(): number {
    return this.limit - this.#used;
  }

  mayTake(name: string): boolean {
    return (this.#held.get(name) ?? 0) < greed * this.free;
  }

  take(name: string): void {
    this.#used++;
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
  }

  /** Returns how many the name still holds. */
  giveBack(name: string): number {
    this.#used--;
    const held = (this.#held.get(name) ?? 0) - 1;
    if (held > 0) this.#held.set(name, held);
    else this.#held.delete(name);
    return held;
  }

  /** The names that get no more for now. */
  get full(): readonly string[] {
    return [...this.#held.keys()].filter((name) => !this.mayTake(name));
  }
}
