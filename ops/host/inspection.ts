import type { Access } from '../../endpoints/access/access.js';
import type { HttpOptions, RouteAddition } from '../../endpoints/routes/http-server.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { lifecycleOf } from '../../endpoints/mutation-endpoint.js';
import type { Registry } from '../../endpoints/service-definition.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { machineRoutes } from '../../endpoints/routes/machines.js';
import type { Config } from '../config.js';
import { namedMachines } from '../state-machines.js';
import type { LaunchOptions } from './launch-options.js';

interface HostInspection {
  readonly inspection: Inspection;
  readonly http: Pick<HttpOptions, 'observeUnstarted'>;
  readonly routes: readonly RouteAddition[];
  stop(): void;
}

/** Counts and records every request, watched or not; serves the inspector if it is enabled. */
export function startInspection(
  { endpoints, processes }: Registry,
  config: Config,
  access: Access,
  framesOf: LaunchOptions['frameSource'] = (feed) => feed,
): HostInspection {
  const inspection = new Inspection({ host: config.name, withTexts: config.development });
  for (const { endpoint, command } of endpoints)
    lifecycleOf(endpoint).watchedBy(inspection.watch(command.name));
  const http = { observeUnstarted: inspection.observeUnstarted };
  if (!config.inspect) return { inspection, http, routes: [], stop: () => undefined };
  const inspector = new Inspector(framesOf(inspection.feed), { access, page: 'console#/machines' });
  return {
    inspection,
    http,
    routes: [inspector.route, machineRoutes(namedMachines(processes), access)],
    stop: () => inspector.stop(),
  };
}
