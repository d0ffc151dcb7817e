import { setTimeout as pause } from 'node:timers/promises';

/** How many keys that are aside a host tries at once while there are requests. */
const mostBesideRequests = 8;
/** A slot is free again after this time at the earliest, so that requests find the host at rest. */
const shortestMs = 20;
/** And after this time at the latest: a step that hangs holds up no other key. */
const longestMs = 1_000;

/** Gives a slot back. */
type Leave = () => void;

/** Slots of the keys that are aside, which an operator may have released by the hundred thousand: requests come first. */
export class RetrySlots {
  #used = 0;
  readonly #waiting = new Set<() => void>();

  constructor(
    /** Whether there were requests lately. */
    private readonly isServing: () => boolean = () => false,
    private readonly most = mostBesideRequests,
  ) {}

  async enter(): Promise<Leave> {
    if (this.#isFull) await new Promise<void>((enter) => this.#waiting.add(enter));
    else this.#used++;
    return this.#heldSince(performance.now());
  }

  /** Leaves as much time to requests as work took that is not urgent. */
  async rest(tookMs: number): Promise<void> {
    if (this.isServing()) await pause(tookMs);
  }

  get #isFull(): boolean {
    return this.#used >= this.most && this.isServing();
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
      const heldMs = performance.now() - began;
      if (heldMs >= shortestMs || !this.isServing()) giveBack();
      else setTimeout(giveBack, shortestMs - heldMs).unref();
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
