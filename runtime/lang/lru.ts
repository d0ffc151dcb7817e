interface Entry<T> {
  readonly value: T;
  readonly weight: number;
}

/** Keeps the most recently used values, bounded by their number and their weight: by default the length of the key. */
export class Lru<T> {
  readonly #entries = new Map<string, Entry<T>>();
  #weight = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxWeight: number,
    private readonly evicted?: (key: string) => void,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, weight = key.length): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxEntries && this.#weight <= this.maxWeight) return;
      this.delete(oldest);
      this.evicted?.(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#weight -= entry.weight;
    this.#entries.delete(key);
  }

  *entries(): Iterable<readonly [key: string, value: T]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }
}
