import type { Side } from '../target.js';

interface Seen {
  readonly count: number;
  readonly toNew: number;
}

/**
 * Requests that HAProxy itself answered with 5xx because no server could. They belong to the side that had all
 * requests; those of a split front belong to neither.
 */
export class UnservedRequests {
  readonly #counted = { old: 0, new: 0 };
  #last: Seen | undefined;

  /** What was counted since HAProxy started. */
  add(count: number, toNew: number): Readonly<Record<Side, number>> {
    const last = this.#last;
    this.#last = { count: Math.max(count, last?.count ?? 0), toNew };
    if (last?.toNew === toNew) {
      const more = Math.max(0, count - last.count);
      if (toNew === 100) this.#counted.new += more;
      if (toNew === 0) this.#counted.old += more;
    }
    return this.#counted;
  }

  /** HAProxy counts from zero again. */
  restart(): void {
    this.#last = undefined;
  }
}
