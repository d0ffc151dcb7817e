/** The store's answer to a request for a lease. */
interface LeaseGrant {
  readonly held: boolean;
  /** Less than was asked for when a session held its row. */
  readonly remainingMs: number;
}

/** Leaves half of a lease for a store that answers slowly. */
const half = 1 / 2;

/** A lease of the store, by the clock of this process: it never lasts longer than the store grants. */
export class Lease<Grant extends LeaseGrant> {
  #endsAt = 0;

  constructor(
    private readonly store: { acquireLease(leaseMs: number): Promise<Grant> },
    readonly leaseMs: number,
    /** The fraction of a lease that remains when it is due for renewal. */
    private readonly reserve = half,
  ) {}

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  get hasExpired(): boolean {
    return this.remainingMs <= 0;
  }

  get renewInMs(): number {
    return this.remainingMs - this.leaseMs * this.reserve;
  }

  /** Acquires the lease, or renews it. */
  async acquireLease(): Promise<Grant> {
    const requestedAt = performance.now();
    const grant = await this.store.acquireLease(this.leaseMs);
    this.#endsAt = grant.held ? requestedAt + Math.min(this.leaseMs, grant.remainingMs) : 0;
    return grant;
  }

  /** Runs a write that also renews the lease; returns false when another host holds it. */
  async renewWith(write: (leaseMs: number) => Promise<boolean>): Promise<boolean> {
    const requestedAt = performance.now();
    const written = await write(this.leaseMs);
    if (written) this.renewedAt(requestedAt);
    return written;
  }

  /** Renews the lease from the time at which the write began. */
  renewedAt(requestedAt: number): void {
    this.#endsAt = Math.max(this.#endsAt, requestedAt + this.leaseMs);
  }
}
