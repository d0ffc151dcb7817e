import { addSystemEventAuditing, addSystemEvents } from '../../actors/add-system-events-and-auditing.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { eventStore } from '../../runtime/service/register-event-store.js';
import { type Addition, addService, type Service } from '../../runtime/service/service.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import type { PostgresStore } from '../../runtime/store/postgres-event-store.js';
import type { Config } from '../config/config.js';

/** Builds the service of an application on an open store. */
export function createService(
  store: PostgresStore,
  connection: () => Promise<StoreConnection>,
  definition: ServiceDefinition,
  config: Config,
): Service {
  const service = addService().with(eventStore(store, connection)).with(systemEvents(config));
  service.parts.freezesEvents = config.development;
  definition.configure?.(service);
  return service;
}

function systemEvents({ audit, auditMode, broadcast }: Config): Addition {
  const configure = (options: SystemEventOptions): void => {
    if (audit === 'all') options.enableAll();
    if (audit === 'events') options.enableEventAudit();
    if (audit === 'commands') options.enableCommandAudit();
    if (broadcast) options.broadcast();
    options.auditMode = auditMode;
  };
  return audit === 'off' ? addSystemEvents(configure) : addSystemEventAuditing(configure);
}
