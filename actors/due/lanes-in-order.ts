/** Lanes in the order in which claims walk over them: that of their bytes. */
export class LanesInOrder {
  readonly #lanes: string[] = [];

  add(lane: string): void {
    const at = this.#placeOf(lane);
    if (this.#lanes[at] !== lane) this.#lanes.splice(at, 0, lane);
  }

  delete(lane: string): void {
    const at = this.#placeOf(lane);
    if (this.#lanes[at] === lane) this.#lanes.splice(at, 1);
  }

  /** Lanes of an effect, ordered ones and others, from the hand on. */
  from(effect: string, hand: string, most: number): readonly string[] {
    return ['1', 'n'].flatMap((kind) => {
      const first = `${kind}|${effect}|`;
      const from = this.#placeOf(hand > first ? hand : first);
      return this.#lanes.slice(from, Math.min(this.#placeOf(`${kind}|${effect}}`), from + most));
    });
  }

  /** Where it is, or would be. */
  #placeOf(lane: string): number {
    const bytes = bytesOf(lane);
    let [low, high] = [0, this.#lanes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (bytesOf(this.#lanes[middle] ?? '') < bytes) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const bytesOf = (lane: string): string => Buffer.from(lane).toString('latin1');
