import { partOf } from '../../runtime/lang/part-of.js';

interface PlacedLane {
  readonly lane: string;
  readonly bytes: string;
  readonly part: number;
}

/** Lanes in the order in which claims walk over them: that of their bytes. */
export class LanesInOrder {
  readonly #lanes: PlacedLane[] = [];

  /** `line`: what its partition is made from. */
  add(lane: string, line: string): void {
    const at = this.#placeOf(lane);
    if (this.#lanes[at]?.lane !== lane)
      this.#lanes.splice(at, 0, { lane, bytes: bytesOf(lane), part: partOf(line) });
  }

  delete(lane: string): void {
    const at = this.#placeOf(lane);
    if (this.#lanes[at]?.lane === lane) this.#lanes.splice(at, 1);
  }

  /** Those that a walk over so many lanes of each partition may pass, from the hand on; ordered lanes and others are two walks. */
  within(effect: string, hand: string, reach: number): readonly string[] {
    return ['1', 'n'].flatMap((kind) => {
      const first = `${kind}|${effect}|`;
      const from = this.#placeOf(hand > first ? hand : first);
      const passed = new Map<number, number>();
      return this.#lanes
        .slice(from, this.#placeOf(`${kind}|${effect}}`))
        .filter(({ part }) => {
          const nth = (passed.get(part) ?? 0) + 1;
          passed.set(part, nth);
          return nth <= reach;
        })
        .map(({ lane }) => lane);
    });
  }

  /** Where it is, or would be. */
  #placeOf(lane: string): number {
    const bytes = bytesOf(lane);
    let [low, high] = [0, this.#lanes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#lanes[middle]?.bytes ?? '') < bytes) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const bytesOf = (lane: string): string => Buffer.from(lane).toString('latin1');
