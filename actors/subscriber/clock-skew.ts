import type { Timestamp, Uuid } from '../../contracts/scalars.js';

/** A store whose recorded times are in the future. */
export interface StoreAhead {
  readonly store: Uuid;
  readonly seconds: number;
}

const forgetAfterMs = 10 * 60_000;

/** How far the clocks of other stores are ahead of ours; a clock that is behind looks the same as slow delivery. */
export class ClockSkew {
  #furthest: (StoreAhead & { readonly at: number }) | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  note(store: Uuid, recordedAt: Timestamp): void {
    const at = this.now();
    const seconds = (Date.parse(recordedAt) - at) / 1_000;
    if (seconds > 0 && seconds >= (this.furthest?.seconds ?? 0)) this.#furthest = { store, seconds, at };
  }

  /** The store that was furthest ahead in the last minutes. */
  get furthest(): StoreAhead | undefined {
    const found = this.#furthest;
    if (found === undefined || this.now() - found.at > forgetAfterMs) return undefined;
    return { store: found.store, seconds: found.seconds };
  }
}
