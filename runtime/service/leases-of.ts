import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { Notifications, type NotificationSource } from '../database/notifications.js';
import { HostLeases, leaseDefaults, type LeaseSettings } from '../leases/host-leases.js';
import { postgresLeases } from '../leases/postgres-leases.js';
import type { ServiceParts } from './service.js';

export interface LeaseOptions extends Partial<LeaseSettings> {
  readonly host?: string;
  /** Whether it broadcasts its system messages. */
  readonly broadcast?: boolean;
  /** The version of the application: hosts of the newest one run what they can. */
  readonly version?: string;
  /** Shared with other parts of the host; without one, the leases open a connection of their own. */
  readonly notifications?: NotificationSource;
}

/** The leases of a service on this host; who asks first decides their settings. `owner`: all its sessions are marked with it. */
export function leasesOf(
  parts: ServiceParts,
  database: Database,
  options: LeaseOptions,
  owner?: Uuid,
): HostLeases {
  const { host: name = 'local', version = '0', broadcast = null, notifications } = options;
  const { leaseMs = leaseDefaults.leaseMs, renewMs = leaseDefaults.renewMs } = options;
  const self = { owner: owner ?? newUuid(), name, version, broadcast };
  return (parts.leases ??= new HostLeases(
    postgresLeases(database, self, owner !== undefined),
    version,
    notifications ?? new Notifications(database),
    { leaseMs, renewMs },
  ));
}
