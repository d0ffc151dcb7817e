/** What the store answers to who asks for a lease. */
interface LeaseGrant {
  readonly held: boolean;
}

/** Half of a lease is left for a store that is slow to answer. */
const half = 1 / 2;

/** A lease that the store grants, by the clock of this process: it ends no later than the store says. */
export class Lease<Grant extends LeaseGrant> {
  #endsAt = 0;

  constructor(
    private readonly store: { acquireLease(leaseMs: number): Promise<Grant> },
    readonly leaseMs: number,
    /** The share of it that is left when it is to be renewed. */
    private readonly reserve = half,
  ) {}

  get hasExpired(): boolean {
    return performance.now() >= this.#endsAt;
  }

  get renewInMs(): number {
    return this.#endsAt - this.leaseMs * this.reserve - performance.now();
  }

  /** Acquires the lease, or renews it. */
  async acquireLease(): Promise<Grant> {
    const asked = performance.now();
    const grant = await this.store.acquireLease(this.leaseMs);
    if (grant.held) this.renewedAt(asked);
    else this.#endsAt = 0;
    return grant;
  }

  /** A write that renews the lease, unless another one has it. */
  async renewWith(write: (leaseMs: number) => Promise<boolean>): Promise<boolean> {
    const asked = performance.now();
    const written = await write(this.leaseMs);
    if (written) this.renewedAt(asked);
    return written;
  }

  /** A write that was begun then has renewed it. */
  renewedAt(asked: number): void {
    this.#endsAt = Math.max(this.#endsAt, asked + this.leaseMs);
  }
}
