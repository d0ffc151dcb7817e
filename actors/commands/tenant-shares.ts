import { Several } from '../../runtime/lang/several.js';

/** While there are others, a tenant leaves the rest to them: they do not wait for its commits. */
const share = 0.75;
/** This many tenants stay in the map without a slot: entries that come and go would rebuild it every few commands. */
const kept = 64;

/** How many slots of a handler one tenant may hold: all of them while it is alone. */
export class TenantShares {
  readonly #held = new Map<string | undefined, number>();
  readonly #several = new Several();
  readonly #most: number;

  constructor(slots: number) {
    this.#most = Math.ceil(slots * share);
  }

  /** A command of the tenant has come. */
  seen(tenant: string | undefined): void {
    this.#several.seen(tenant);
  }

  mayTake(tenant: string | undefined): boolean {
    return (this.#held.get(tenant) ?? 0) < this.#most || !this.#several.isNow;
  }

  take(tenant: string | undefined): void {
    this.#held.set(tenant, (this.#held.get(tenant) ?? 0) + 1);
  }

  giveBack(tenant: string | undefined): void {
    const held = (this.#held.get(tenant) ?? 0) - 1;
    if (held > 0 || this.#held.size <= kept) this.#held.set(tenant, held);
    else this.#held.delete(tenant);
  }
}
