/** The latest items: adding to a full ring evicts the oldest. */
export class RingBuffer<T> {
  readonly #items: (T | undefined)[];
  #added = 0;

  constructor(readonly capacity: number) {
    this.#items = Array.from<T | undefined>({ length: capacity }).fill(undefined);
  }

  add(item: T): T | undefined {
    const index = this.#added++ % this.capacity;
    const before = this.#items[index];
    this.#items[index] = item;
    return before;
  }

  *newestFirst(): Iterable<T> {
    for (let back = 1; back <= Math.min(this.#added, this.capacity); back++) {
      const item = this.#items[(this.#added - back) % this.capacity];
      if (item !== undefined) yield item;
    }
  }
}
