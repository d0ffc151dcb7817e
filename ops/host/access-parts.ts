import {
  type SecurityEventPorts,
  SecurityEventRecorder,
} from '../../actors/access/security-event-recorder.js';
import { startRefreshing } from '../../actors/start-refreshing.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { Identity } from '../../contracts/identity.js';
import { KnownRoles } from '../../runtime/access/known-roles.js';
import { readRoles } from '../../runtime/access/read-stored-roles.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';

/** What a host that authenticates needs to record its decisions and to know its roles. */
export interface AccessPorts {
  readonly supervisor: Supervisor;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
  readonly report: SecurityEventPorts['emit'];
}

/** Stopped after the server: what the last requests were granted is stored too. */
export const startSecurityEvents = ({ supervisor, report }: AccessPorts): Promise<SecurityEventRecorder> =>
  supervisor.keep(
    'security-events',
    () => new SecurityEventRecorder({ emit: report }),
    (recorder) => recorder.stop(),
  );

/** The host learns of a change whose notification is lost when it renews its leases. */
const everyMs = 60_000;

/** No request is served before the roles are known. */
export async function startRoles(ports: AccessPorts): Promise<(identity: Identity) => Identity> {
  const { supervisor, database } = ports;
  const known = new KnownRoles((version) => readRoles(database, version));
  await known.refresh();
  const [version, refresh] = [() => known.version, () => known.refresh()];
  const copy = { name: 'the roles', channel: 'svc_access', everyMs, version, refresh } as const;
  await supervisor.start({ name: 'roles', start: () => startRefreshing(copy, ports) });
  return (identity) => known.complete(identity);
}
