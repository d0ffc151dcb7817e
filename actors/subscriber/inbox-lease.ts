import type { Inbox, InboxTurn } from '../../runtime/inbox/inbox.js';

/** One subscriber's lease on the inbox, by the clock of this process: it ends no later than the store says. */
export class InboxLease {
  #endsAt = 0;

  constructor(
    private readonly inbox: Pick<Inbox, 'turn'>,
    readonly leaseMs: number,
  ) {}

  get hasRunOut(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** A sixth of it is left for a store that is slow to answer. */
  get renewInMs(): number {
    return this.#endsAt - this.leaseMs / 6 - performance.now();
  }

  /** Takes the lease, or keeps it. */
  async turn(): Promise<InboxTurn> {
    const asked = performance.now();
    const turn = await this.inbox.turn(this.leaseMs);
    if (turn.held) this.keptAt(asked);
    else this.#endsAt = 0;
    return turn;
  }

  /** Storing keeps it too. */
  keptAt(asked: number): void {
    this.#endsAt = Math.max(this.#endsAt, asked + this.leaseMs);
  }
}
