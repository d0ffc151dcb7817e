const readyWithinMs = 60_000;
/** Beyond it even a starved machine cannot be the reason alone. */
const mostExcusedMs = 240_000;
/** What the time between two looks counts at most: beyond it the supervisor itself was kept from running. */
const longestLookMs = 500;

/** The time in which a host must become ready: what it waits for a processor does not count, up to a limit. */
export class StartTime {
  static readonly limitMs = readyWithinMs;
  #usedMs = 0;
  #excusedMs = 0;

  /** Returns whether its time is over. */
  spend(elapsedMs: number, waitedMs: number): boolean {
    const excused = Math.min(
      elapsedMs,
      Math.max(waitedMs, elapsedMs - longestLookMs),
      mostExcusedMs - this.#excusedMs,
    );
    this.#excusedMs += excused;
    this.#usedMs += elapsedMs - excused;
    return this.#usedMs >= readyWithinMs;
  }

  /** A migration shows that it makes progress. */
  restart(): void {
    this.#usedMs = 0;
  }
}
