import type { Long } from '../../contracts/scalars.js';
import { failpoint } from '../../runtime/failpoint.js';
import type { Outbox, Turn } from '../../runtime/outbox/outbox.js';

/** One relay's lease on the outbox, by the clock of this process: it ends no later than the store says. */
export class RelayLease {
  #endsAt = 0;

  constructor(
    private readonly outbox: Pick<Outbox, 'turn' | 'advance'>,
    private readonly leaseMs: number,
  ) {}

  get hasRunOut(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Half of it is left for a store that is slow to answer. */
  get renewInMs(): number {
    return this.#endsAt - this.leaseMs / 2 - performance.now();
  }

  /** Takes the lease, or keeps it. */
  async turn(): Promise<Turn> {
    const asked = performance.now();
    const turn = await this.outbox.turn(this.leaseMs);
    if (turn.held) this.#endsAt = asked + this.leaseMs;
    return turn;
  }

  /** Moves the cursor and keeps the lease; false when another relay has it. */
  async advance(from: Long, to: Long): Promise<boolean> {
    const asked = performance.now();
    failpoint('outbox-before-advance');
    const advanced = await this.outbox.advance(from, to, this.leaseMs);
    failpoint('outbox-after-advance');
    if (advanced) this.#endsAt = asked + this.leaseMs;
    return advanced;
  }
}
