import type { Long } from '../../contracts/scalars.js';

/** How many settled and running events a cursor may have above its settled position. */
export const maxAhead = 128;
/** With a full window, an event that at least this many later ones have passed leaves the line. */
const slowAfter = 64;

/** Which events of a line are settled, and how many more may run. */
export class LineWindow<Place> {
  /** Events in line that are not settled, in the order of the log. */
  readonly outstanding = new Map<Long, Place>();
  /** How many events are running. */
  active = 0;
  /** Settled above the settled position. */
  readonly #done: Set<Long>;
  #prunedTo = -1;

  constructor(
    /** Everything up to here was offered. */
    public read: Long,
    done: readonly Long[],
  ) {
    this.#done = new Set(done);
  }

  /** Everything up to here is settled, or waits behind a key that is aside. */
  settledTo(): Long {
    for (const position of this.outstanding.keys()) return position - 1;
    return this.read;
  }

  isSettled(position: Long): boolean {
    return this.#done.has(position);
  }

  settle(position: Long): void {
    this.outstanding.delete(position);
    this.#done.add(position);
    this.prune();
  }

  prune(): void {
    const settled = this.settledTo();
    if (settled === this.#prunedTo) return;
    this.#prunedTo = settled;
    for (const position of this.#done) if (position <= settled) this.#done.delete(position);
  }

  get isFull(): boolean {
    return this.#done.size + this.active >= maxAhead;
  }

  /** The first one always runs: the cursor cannot move before it. */
  hasRoomFor(position: Long): boolean {
    return !this.isFull || position <= this.settledTo() + 1;
  }

  /** Whether the first event holds up many others. */
  get isHeldUp(): boolean {
    return this.isFull && this.#done.size >= slowAfter;
  }
}
