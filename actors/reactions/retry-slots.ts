import { setTimeout as pause } from 'node:timers/promises';

/** From one key to the next, so that requests find the host at rest. */
const shortestMs = 10;
/** How much longer than a key or a page took the host rests. */
const rests = 3;
/** A step that hangs holds up no other key for longer, and no rest is longer. */
const longestMs = 250;

/** How long to rest after what took so long. */
export const restOf = (tookMs: number): number =>
  Math.min(Math.max(shortestMs - tookMs, rests * tookMs), longestMs);

/** Gives a slot back. */
type Leave = () => void;

/**
 * Keys that are aside, which an operator may have released by the hundred thousand: beside requests they are tried one
 * after another, as requests come first.
 */
export class RetrySlots {
  #used = 0;
  readonly #waiting = new Set<() => void>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(
    /** Whether there were requests lately. */
    private readonly isServing: () => boolean = () => false,
  ) {}

  async enter(): Promise<Leave> {
    if (this.#isFull) await new Promise<void>((enter) => this.#waiting.add(enter));
    else this.#used++;
    return this.#heldSince(performance.now());
  }

  /** Does work of all cursors one after another; beside requests, each is followed by a rest. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(() => this.#withRest(work));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async #withRest<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const done = await work();
    if (this.isServing()) await pause(restOf(performance.now() - began));
    return done;
  }

  get #isFull(): boolean {
    return this.#used > 0 && this.isServing();
  }

  #heldSince(began: number): Leave {
    let isHeld = true;
    const giveBack = (): void => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
    const longest = setTimeout(giveBack, longestMs).unref();
    return () => {
      clearTimeout(longest);
      if (this.isServing()) setTimeout(giveBack, restOf(performance.now() - began)).unref();
      else giveBack();
    };
  }

  #leave(): void {
    this.#used--;
    for (const enter of this.#waiting) {
      if (this.#isFull) return;
      this.#waiting.delete(enter);
      this.#used++;
      enter();
    }
  }
}
