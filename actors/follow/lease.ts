import type { LeaseLength } from '../../runtime/leases/lease-length.js';

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
    private readonly length: LeaseLength,
    /** The fraction of a lease that remains when it is due for renewal. */
    private readonly reserve = half,
  ) {}

  get leaseMs(): number {
    return this.length.ms;
  }

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
    const leaseMs = this.length.next();
    const grant = await this.store.acquireLease(leaseMs);
    this.length.answeredIn(performance.now() - requestedAt);
    this.#endsAt = grant.held ? requestedAt + Math.min(leaseMs, grant.remainingMs) : 0;
    return grant;
  }

  /** Runs a write that also renews the lease; returns false when another host holds it. */
  async renewWith(write: (leaseMs: number) => Promise<boolean>): Promise<boolean> {
    const requestedAt = performance.now();
    const leaseMs = this.length.next();
    const written = await write(leaseMs);
    if (written) this.renewedAt(requestedAt, leaseMs);
    return written;
  }

  /** Renews the lease from the time at which the write began. */
  renewedAt(requestedAt: number, leaseMs = this.length.leastMs): void {
    this.#endsAt = Math.max(this.#endsAt, requestedAt + leaseMs);
  }
}
