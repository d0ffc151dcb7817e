import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { Notifications, type NotificationSource } from '../database/notifications.js';
import { HostLeases } from '../leases/host-leases.js';
import { type Leases, postgresLeases } from '../leases/postgres-leases.js';

/** The leases of a host that has nothing else. */
export const hostLeases = (database: Database, owner: Uuid = newUuid(), leaseMs = 4_000): HostLeases =>
  new HostLeases(
    postgresLeases(database, { owner, name: owner, version: '1', broadcast: false }),
    '1',
    new Notifications(database),
    {
      leaseMs,
      renewMs: leaseMs * renewal,
    },
  );

/** The fraction of a lease after which it is renewed. */
const renewal = 0.45;

/** A lease in memory that hosts of a test share. */
export interface LeaseInMemory {
  owner: string | undefined;
  leaseUntil: number;
  /** Thrown by every question when set. */
  failure: Error | undefined;
  /** How often a host has asked for it. */
  leaseRequests: number;
}

const silent: NotificationSource = { subscribe: () => () => undefined };

export const leasesInMemory = (
  lease: LeaseInMemory,
  owner: string,
  leaseMs: number,
  notifications: NotificationSource = silent,
): HostLeases =>
  new HostLeases(leasesOver(lease, owner), '1', notifications, { leaseMs, renewMs: leaseMs * renewal });

export function leasesOver(lease: LeaseInMemory, owner: string): Leases {
  const take = (leaseMs: number): boolean => {
    lease.leaseRequests++;
    const now = performance.now();
    if (lease.owner !== owner && lease.owner !== undefined && lease.leaseUntil > now) return false;
    lease.owner = owner;
    lease.leaseUntil = now + leaseMs;
    return true;
  };
  return {
    owner,
    turn: async (groups, leaseMs) => {
      if (lease.failure !== undefined) throw lease.failure;
      const names = groups.flatMap((group) => group.names);
      const wanted = groups.filter(({ share }) => share > 0).flatMap((group) => group.names);
      const held = new Set(wanted.filter(() => take(leaseMs)));
      const remaining = Math.max(0, lease.leaseUntil - performance.now());
      const hosts = [{ owner, name: owner, version: '1', names, broadcast: false }];
      return {
        held,
        hosts,
        remainingMs: new Map(names.map((name) => [name, remaining])),
        history: 'one',
        perspectives: [],
        head: 0,
        versions: {},
        broadcast: false,
      };
    },
    hosts: async () => [],
    release: async (names) => {
      if (lease.failure !== undefined) throw lease.failure;
      if (names.length > 0 && lease.owner === owner) [lease.owner, lease.leaseUntil] = [undefined, 0];
    },
  };
}
