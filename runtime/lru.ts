/** Keeps the most recently used values, bounded by their number and by the length of their keys. */
export class Lru<T> {
  readonly #entries = new Map<string, T>();
  #characters = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxCharacters: number,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    if (!this.#entries.delete(key)) this.#characters += key.length;
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxEntries && this.#characters <= this.maxCharacters) return;
      this.#entries.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
