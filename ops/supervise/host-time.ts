/** What the time between two looks counts at most: beyond it the supervisor itself was kept from running. */
const longestLookMs = 500;

interface Limits {
  readonly limitMs: number;
  /** Beyond it even a starved machine cannot be the reason alone. */
  readonly mostExcusedMs: number;
}

/** To become ready. */
export const startTime: Limits = { limitMs: 60_000, mostExcusedMs: 240_000 };
/**
 * To drain: a host ends itself after ten seconds in which it could run. One that is killed earlier, because it waits for a
 * processor, resets every connection on which it has not answered yet.
 */
export const drainTime: Limits = { limitMs: 11_000, mostExcusedMs: 49_000 };

/** The time that a host has: what it waits for a processor does not count, up to a limit. */
export class HostTime {
  #usedMs = 0;
  #excusedMs = 0;

  constructor(private readonly limits: Limits) {}

  /** Returns whether its time is over. */
  spend(elapsedMs: number, waitedMs: number): boolean {
    const { limitMs, mostExcusedMs } = this.limits;
    const excused = Math.min(
      elapsedMs,
      Math.max(waitedMs, elapsedMs - longestLookMs),
      mostExcusedMs - this.#excusedMs,
    );
    this.#excusedMs += excused;
    this.#usedMs += elapsedMs - excused;
    return this.#usedMs >= limitMs;
  }

  /** A migration shows that it makes progress. */
  restart(): void {
    this.#usedMs = 0;
  }
}
