import { startRefreshing } from '../../actors/start-refreshing.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { FlagSource } from '../../contracts/flags.js';
import type { Registry } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { declareFlags } from '../../runtime/flags/change-flag.js';
import { KnownFlags } from '../../runtime/flags/known-flags.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { readFlags } from '../../runtime/flags/read-flags.js';

interface FlagPorts {
  readonly supervisor: Supervisor;
  readonly database: Pick<Database, 'rows'>;
  readonly notifications: NotificationSource;
  readonly leases: Pick<HostLeases, 'watch'>;
  readonly registry: Registry;
}

/** The host learns of a change whose notification is lost when it renews its leases, within two seconds. */
const everyMs = 60_000;

/** No request is served before the flags are known. */
export async function startFlags(ports: FlagPorts): Promise<FlagSource> {
  const { supervisor, database, registry } = ports;
  await declareFlags(database, registry.flags ?? []);
  const known = new KnownFlags((version) => readFlags(database, version), registry.flags);
  await known.refresh();
  const refresh = () => known.refresh();
  const version = () => known.version;
  const copy = { name: 'the flags', channel: 'svc_flags', everyMs, version, refresh } as const;
  await supervisor.start({ name: 'flags', start: () => startRefreshing(copy, ports) });
  return known;
}
