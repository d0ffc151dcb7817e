import type { RouteAddition } from '../../endpoints/http/server.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import type { EndpointRegistration } from '../../endpoints/registry.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { machineRoutes } from '../../endpoints/routes/machines.js';
import type { Config } from '../config.js';
import { accessOf } from './access.js';
import { machines } from '../machines.js';
import type { Neighbours } from '../neighbours.js';

export interface HostInspection {
  readonly inspection: Inspection;
  readonly routes: readonly RouteAddition[];
  stop(): void;
}

/** Counts and remembers every request, whether anybody looks or not; where it is wanted, lets people look. */
export function inspectedHost(
  endpoints: readonly EndpointRegistration[],
  config: Config,
  neighbours?: Neighbours,
): HostInspection {
  const inspection = new Inspection({ host: config.name });
  for (const { endpoint, command } of endpoints) endpoint.watchedBy(inspection.watch(command.name));
  if (!config.inspect) return { inspection, routes: [], stop: () => undefined };
  const { feed } = inspection;
  const access = accessOf(config);
  const inspector = new Inspector(neighbours?.frames(feed) ?? feed, { access });
  return {
    inspection,
    routes: [inspector.route, machineRoutes(machines, access)],
    stop: () => inspector.stop(),
  };
}
