import type { Place } from './line-places.js';
import type { LineWindow } from './line-window.js';

/** How many keys that are aside are tried at once: what is new does not wait behind them, nor they behind what is new. */
export const maxRetried = 32;

/** The places of a line whose next event waits until there is room for it. */
export class WaitingPlaces<Item> {
  readonly #inLine = new Set<Place<Item>>();
  readonly #aside = new Set<Place<Item>>();
  /** Places aside whose event runs. */
  readonly #retried = new Set<Place<Item>>();

  constructor(private readonly window: LineWindow<Place<Item>>) {}

  /** How many places aside wait. */
  get aside(): number {
    return this.#aside.size;
  }

  /** Whether the next event of a place may run; if not, the place waits. */
  admits(place: Place<Item>, position: number): boolean {
    const isAside = place.aside !== undefined;
    const waiting = isAside ? this.#aside : this.#inLine;
    if (!this.window.hasRoomFor(position) || (isAside && this.#isFull)) {
      waiting.add(place);
      return false;
    }
    waiting.delete(place);
    if (isAside) this.#retried.add(place);
    return true;
  }

  ended(place: Place<Item>): void {
    this.#retried.delete(place);
  }

  /** Starts those for which there is room now. */
  startIdle(start: (place: Place<Item>) => void): void {
    for (const place of this.#inLine) {
      if (this.window.isFull) break;
      this.#inLine.delete(place);
      start(place);
    }
    const [first] = this.window.outstanding.values();
    if (first !== undefined && this.#inLine.has(first)) start(first);
    for (const place of this.#aside) {
      if (this.#isFull) break;
      start(place);
    }
  }

  get #isFull(): boolean {
    return this.#retried.size >= maxRetried;
  }
}
