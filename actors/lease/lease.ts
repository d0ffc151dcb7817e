/** What the store answers to who asks for a lease. */
interface LeaseAnswer {
  readonly held: boolean;
}

/** Half of a lease is left for a store that is slow to answer. */
const half = 1 / 2;

/** A lease that the store grants, by the clock of this process: it ends no later than the store says. */
export class Lease<Turn extends LeaseAnswer> {
  #endsAt = 0;

  constructor(
    private readonly store: { turn(leaseMs: number): Promise<Turn> },
    readonly leaseMs: number,
    /** The share of it that is left when it is to be renewed. */
    private readonly reserve = half,
  ) {}

  get hasRunOut(): boolean {
    return performance.now() >= this.#endsAt;
  }

  get renewInMs(): number {
    return this.#endsAt - this.leaseMs * this.reserve - performance.now();
  }

  /** Acquires the lease, or renews it. */
  async turn(): Promise<Turn> {
    const asked = performance.now();
    const turn = await this.store.turn(this.leaseMs);
    if (turn.held) this.keptAt(asked);
    else this.#endsAt = 0;
    return turn;
  }

  /** A write that renews the lease, unless another one has it. */
  async renewedBy(write: (leaseMs: number) => Promise<boolean>): Promise<boolean> {
    const asked = performance.now();
    const written = await write(this.leaseMs);
    if (written) this.keptAt(asked);
    return written;
  }

  /** A write that was begun then has renewed it. */
  keptAt(asked: number): void {
    this.#endsAt = Math.max(this.#endsAt, asked + this.leaseMs);
  }
}
