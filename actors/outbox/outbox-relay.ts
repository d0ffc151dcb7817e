import type { FollowerWork, RunEnd } from '../follow/follower-machine.js';
import { type FollowerLeases, startFollower } from '../follow/followers.js';
import { Lease } from '../follow/lease.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import type { LeaseLength } from '../../runtime/leases/lease-length.js';
import { RelayCounts, type RelayPorts, RelayPublisher, type RetrySettings } from './relay-publisher.js';
import { noProgress, RelayRound, type RoundSettings } from './relay-round.js';

export interface RelaySettings extends RoundSettings, RetrySettings {
  /** An idle relay looks at the log this often, although nothing was notified. */
  readonly idleMs: number;
  /** The shortest time between two rounds: under load many commits share one. */
  readonly restMs: number;
}

export const relayDefaults: RelaySettings = {
  idleMs: 2_000,
  restMs: 10,
  pageSize: 500,
  inFlight: 256,
  perStream: 128,
  maxAttempts: 5,
  firstRetryMs: 200,
  maxRetryMs: 10_000,
};

const backoff = { firstBackoffMs: 100, maxBackoffMs: 2_000 };

/** A running relay; of all relays that share a store, one is active. */
export interface OutboxRelay {
  readonly counts: Readonly<RelayCounts>;
  /** A state of its follower, or `stopped`. */
  readonly state: string;
  /** Whether it is the active one. */
  readonly holdsLease: boolean;
  /** Why the last round failed; undefined after one that did not. */
  readonly failure: string | undefined;
  /** Reports that the log has grown. */
  wake(): void;
  /** Waits for what is in flight and releases the lease. */
  stop(): Promise<void>;
}

export function startOutboxRelay(
  { leases, ...ports }: RelayPorts & { readonly leases: FollowerLeases & Pick<HostLeases, 'length'> },
  settings: Partial<RelaySettings> = {},
  crashed?: (error: unknown) => void,
): OutboxRelay {
  const full = { ...relayDefaults, ...settings };
  const work = new RelayWork(ports, full, leases.length);
  const { follower, stop } = startFollower(work, leases, { ...backoff, restMs: full.restMs }, crashed);
  return {
    counts: work.counts,
    get state() {
      return follower.state;
    },
    get holdsLease() {
      return follower.holdsLease;
    },
    get failure() {
      return follower.failure;
    },
    wake: () => follower.wake(),
    stop,
  };
}

/** The relay as a follower of the log: each run publishes what the log holds at its beginning. */
class RelayWork implements FollowerWork {
  readonly kind = 'relay';
  readonly name = 'outbox';
  readonly lease = 'outbox';
  readonly counts = new RelayCounts();
  #progress = noProgress();
  #lookedAt = -Infinity;

  constructor(
    private readonly ports: RelayPorts,
    private readonly settings: RelaySettings,
    private readonly leaseLength: LeaseLength,
  ) {}

  /** Without subscribers there is no reason to hurry: a round that finds something is a commit, which waits for the disk. */
  get restMs(): number {
    return this.ports.transport.hasSubscribers === false ? this.settings.restMs * 50 : this.settings.restMs;
  }

  probe(): Promise<void> {
    return this.ports.transport.ping();
  }

  isDue(): boolean {
    return performance.now() - this.#lookedAt >= this.settings.idleMs;
  }

  forget(): void {
    this.#progress = noProgress();
  }

  run(signal: AbortSignal): Promise<RunEnd> {
    const { ports, settings, counts } = this;
    this.#lookedAt = performance.now();
    const lease = new Lease(ports.outbox, this.leaseLength);
    const publisher = new RelayPublisher(ports, settings, counts);
    return new RelayRound(ports.outbox, lease, publisher, settings, this.#progress, signal).run();
  }
}
