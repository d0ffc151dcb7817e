import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Leases, RunningHost, Turn } from '../leases/postgres-leases.js';
import type { LeaseGroup } from '../leases/shares.js';

interface KeptLease {
  owner: Uuid | undefined;
  until: number;
}

interface KeptHost extends RunningHost {
  readonly seenAt: number;
}

/** A host that asks, without what it could run. */
type Asking = Omit<RunningHost, 'names'>;

const forgottenAfterMs = 60_000;
const longestLeases = 2;
const longestMs = 40_000;

/** The leases of a store in memory: decides like the functions in PostgreSQL, for all hosts that share them. */
export class InMemoryLeases {
  readonly #leases = new Map<string, KeptLease>();
  readonly #hosts = new Map<Uuid, KeptHost>();

  constructor(
    /** Milliseconds of the clock of the store. */
    private readonly now: () => number,
    private readonly head: () => Long = () => 0,
    /** Free leases are taken in this order. */
    private readonly rank: (name: string) => number = () => 0,
  ) {}

  holds(name: string, owner: Uuid): boolean {
    return this.#leases.get(name)?.owner === owner;
  }

  /** As this host reaches them. */
  of(self: Asking): Leases {
    return {
      owner: self.owner,
      turn: async (groups, leaseMs) => this.#turn(self, groups, leaseMs),
      hosts: async (leaseMs) => this.#live(leaseMs),
      release: async (names, left) => this.#leave(self.owner, names, left),
    };
  }

  #turn(self: Asking, groups: readonly LeaseGroup[], leaseMs: number): Turn {
    const { owner } = self;
    const names = groups.flatMap((group) => group.names);
    // The statement does not see what the function writes.
    const others = this.#live(leaseMs).filter((host) => host.owner !== owner);
    this.#see({ ...self, names });
    for (const name of names) {
      const lease = this.#lease(name);
      if (lease.owner === owner) lease.until = this.now() + leaseMs;
    }
    for (const group of groups) this.#share(owner, group, leaseMs);
    return {
      held: new Set(names.filter((name) => this.holds(name, owner))),
      hosts: [...others, { ...self, names }],
      remainingMs: new Map(names.map((name) => [name, this.#remainingMs(name)])),
      history: '1',
      perspectives: [],
      head: this.head(),
      versions: {},
      broadcast: false,
    };
  }

  #see(host: RunningHost): void {
    this.#hosts.set(host.owner, { ...host, seenAt: this.now() });
    for (const { owner, seenAt } of this.#hosts.values())
      if (Math.abs(this.now() - seenAt) > forgottenAfterMs) this.#hosts.delete(owner);
  }

  #share(owner: Uuid, { names, share }: LeaseGroup, leaseMs: number): void {
    const byRank = names.toSorted((one, other) => this.rank(one) - this.rank(other));
    const ours = byRank.filter((name) => this.holds(name, owner));
    if (ours.length > share) this.#release(ours.at(-1) ?? '', owner);
    const free = byRank.filter((name) => !this.holds(name, owner) && this.#isOver(name, leaseMs));
    for (const name of free.slice(0, Math.max(0, share - ours.length)))
      this.#leases.set(name, { owner, until: this.now() + leaseMs });
  }

  #leave(owner: Uuid, names: readonly string[], left: readonly string[]): void {
    const host = this.#hosts.get(owner);
    if (left.length === 0) this.#hosts.delete(owner);
    else if (host !== undefined) this.#hosts.set(owner, { ...host, names: left });
    for (const name of names) this.#release(name, owner);
  }

  #release(name: string, owner: Uuid): void {
    if (this.holds(name, owner)) this.#leases.set(name, { owner: undefined, until: -Infinity });
  }

  /** One that would last far longer than any is given was taken before the clock was set back. */
  #isOver(name: string, leaseMs: number): boolean {
    const leftMs = this.#lease(name).until - this.now();
    return leftMs <= 0 || leftMs > Math.max(leaseMs * longestLeases, longestMs);
  }

  #remainingMs(name: string): number {
    return Math.ceil(Math.max(0, this.#lease(name).until - this.now()));
  }

  #lease(name: string): KeptLease {
    const lease = this.#leases.get(name) ?? { owner: undefined, until: -Infinity };
    this.#leases.set(name, lease);
    return lease;
  }

  #live(leaseMs: number): readonly RunningHost[] {
    return [...this.#hosts.values()]
      .filter(({ seenAt }) => Math.abs(this.now() - seenAt) < leaseMs)
      .map(({ owner, version, names, name, broadcast }) => ({ owner, version, names, name, broadcast }));
  }
}
