/** So long a tenant is expected to come again. */
const rememberedMs = 10_000;

/** Whether there are commands of more than one tenant lately: while one is alone, nobody waits behind it. */
export class SeveralTenants {
  /** Null: none was seen. */
  #last: string | undefined | null = null;
  #until = -Infinity;

  seen(tenant: string | undefined): void {
    if (tenant === this.#last) return;
    if (this.#last !== null) this.#until = performance.now() + rememberedMs;
    this.#last = tenant;
  }

  get isNow(): boolean {
    return this.#until > performance.now();
  }
}
