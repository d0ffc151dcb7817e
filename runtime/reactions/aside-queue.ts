import type { Long } from '../../contracts/scalars.js';

/** How many events behind a key are kept in memory; the others are looked up in the log. */
const maxBehind = 1_000;

/** A key that is aside: its current event, and what waits behind it. */
export class AsideQueue {
  /** Nothing waits behind it, and the commit that brings the key back is on its way. */
  closing = false;
  due = false;
  /** Where the commit on its way moves the key; undefined: it stays. */
  stepTo: Long | undefined;
  /** What waits behind it is being looked up. */
  #isLookedUp = false;
  #behind: Long[] = [];

  constructor(
    public position: Long,
    public attempts: number,
    public parked: boolean,
    /** Whether all that waits is in memory. */
    private complete = false,
  ) {}

  /** A later event of the key. */
  push(position: Long): void {
    if (position <= this.position || !this.complete) return;
    if (this.#behind.length < maxBehind) this.#behind.push(position);
    else this.complete = false;
  }

  /** The next event; 0: there is none; undefined: it has to be looked up. */
  next(): Long | undefined {
    if (this.#isLookedUp) return undefined;
    const [first] = this.#behind;
    if (first !== undefined) return first;
    return this.complete ? 0 : undefined;
  }

  get mustBeLookedUp(): boolean {
    return !this.#isLookedUp && this.next() === undefined;
  }

  /** Answered by `found`; what is read from here on joins the answer. */
  lookUp(): void {
    this.#isLookedUp = true;
    this.complete = true;
  }

  found(positions: readonly Long[], all: boolean): void {
    this.#isLookedUp = false;
    this.complete &&= all;
    this.#behind = all ? [...positions, ...this.#behind] : [...positions];
  }

  moveTo(position: Long): void {
    this.#behind.shift();
    this.position = position;
    this.attempts = 0;
    this.parked = false;
    this.due = true;
  }
}
