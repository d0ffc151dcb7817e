import type { Timestamp, Uuid } from '../../contracts/scalars.js';

/** A store that records times which are still to come. */
export interface StoreAhead {
  readonly store: Uuid;
  readonly seconds: number;
}

const forgetAfterMs = 10 * 60_000;

/** How far other stores' clocks are ahead of ours; that one is behind looks like a message that took its time. */
export class ClockSkew {
  #furthest: (StoreAhead & { readonly at: number }) | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  note(store: Uuid, recordedAt: Timestamp): void {
    const at = this.now();
    const seconds = (Date.parse(recordedAt) - at) / 1_000;
    if (seconds > 0 && seconds >= (this.furthest?.seconds ?? 0)) this.#furthest = { store, seconds, at };
  }

  /** The one that was furthest ahead in the last minutes. */
  get furthest(): StoreAhead | undefined {
    const found = this.#furthest;
    if (found === undefined || this.now() - found.at > forgetAfterMs) return undefined;
    return { store: found.store, seconds: found.seconds };
  }
}
