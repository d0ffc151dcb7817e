import { setTimeout as pause } from 'node:timers/promises';

/** How many keys are tried together: one statement reads their events, and their commits share a flush. */
const together = 4;
/** How much longer than that took the host rests. */
const rests = 3;
/** Keys that hang hold up no others for longer, and no rest is longer. */
const longestMs = 250;

/** How long to rest after what took so long. */
export const restOf = (tookMs: number): number => Math.min(rests * tookMs, longestMs);

/** Gives a slot back. */
type Leave = () => void;

/**
 * Keys that are aside, which an operator may have released by the hundred thousand: beside requests a few are tried at
 * a time, as requests come first.
 */
export class RetrySlots {
  /** Those that have not left. */
  #inside = 0;
  /** Of those that are tried together, how many have entered, and when the first did. */
  #entered = 0;
  #began = 0;
  #isResting = false;
  readonly #waiting = new Set<() => void>();
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(
    /** Whether there were requests lately. */
    private readonly isServing: () => boolean = () => false,
  ) {}

  async enter(): Promise<Leave> {
    if (this.#hasRoom) this.#take();
    else await new Promise<void>((enter) => this.#waiting.add(enter));
    return this.#held();
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

  get #hasRoom(): boolean {
    return !this.isServing() || (!this.#isResting && this.#entered < together);
  }

  #take(): void {
    if (this.#entered === 0) this.#began = performance.now();
    this.#inside++;
    this.#entered++;
  }

  #held(): Leave {
    let isHeld = true;
    const giveBack = (): void => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
    const longest = setTimeout(giveBack, longestMs).unref();
    return () => {
      clearTimeout(longest);
      giveBack();
    };
  }

  #leave(): void {
    this.#inside--;
    if (!this.isServing()) return this.#admit();
    if (this.#inside > 0 || this.#isResting) return;
    this.#isResting = true;
    setTimeout(() => this.#rested(), restOf(performance.now() - this.#began)).unref();
  }

  #rested(): void {
    this.#isResting = false;
    this.#admit();
  }

  #admit(): void {
    if (this.#inside === 0) this.#entered = 0;
    for (const enter of this.#waiting) {
      if (!this.#hasRoom) return;
      this.#waiting.delete(enter);
      this.#take();
      enter();
    }
  }
}
