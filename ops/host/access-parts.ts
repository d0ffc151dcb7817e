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

/** What a host that authenticates needs to record its decisions and to know its roles. */
export interface AccessPorts {
  readonly supervisor: Supervisor;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly report: SecurityEventPorts['emit'];
}

/** Stopped after the server: what the last requests were granted is stored too. */
export const startSecurityEvents = ({ supervisor, report }: AccessPorts): Promise<SecurityEventRecorder> =>
  supervisor.keep(
    'security-events',
    () => new SecurityEventRecorder({ emit: report }),
    (recorder) => recorder.stop(),
  );

/** How copies of roles and keys are kept up to date. */
export const accessCopy = { channel: 'svc_access', everyMs: 3_000 } as const;

/** No request is served before the roles are known. */
export async function startRoles({
  supervisor,
  database,
  notifications,
}: AccessPorts): Promise<(identity: Identity) => Identity> {
  const known = new KnownRoles((version) => readRoles(database, version));
  await known.refresh();
  const copy = { ...accessCopy, name: 'the roles', refresh: () => known.refresh() };
  await supervisor.start({ name: 'roles', start: () => startRefreshing(copy, notifications) });
  return (identity) => known.complete(identity);
}
