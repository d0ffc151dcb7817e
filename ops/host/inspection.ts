import type { Access } from '../../endpoints/access/access.js';
import type { HttpOptions, RouteAddition } from '../../endpoints/routes/http-server.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { emitErrorEvents } from '../../endpoints/emit-error-events.js';
import type { Registry } from '../../endpoints/service-definition.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { machineRoutes } from '../../endpoints/routes/machines.js';
import { fanOut, type Observer } from '../../runtime/request/observer.js';
import type { Service } from '../../runtime/service/service.js';
import { spans } from '../../runtime/request/spans.js';
import type { Config } from '../config/config.js';
import { namedMachines } from '../service/state-machines.js';
import type { LaunchOptions } from './launch-options.js';
import type { RecordSystemEvent } from './record-system-events.js';

interface HostInspection {
  readonly inspection: Inspection;
  /** All that observe the requests of the host. */
  readonly observer: Observer;
  readonly http: Pick<HttpOptions, 'observer'>;
  readonly routes: readonly RouteAddition[];
  stop(): void;
}

interface InspectedHost {
  readonly registry: Registry;
  readonly report: RecordSystemEvent;
  readonly service: Pick<Service, 'parts'>;
}

/** Counts and records every request and reports its failure, watched or not; serves the inspector if it is enabled. */
export function startInspection(
  { registry, report, service }: InspectedHost,
  config: Config,
  access: Access,
  framesOf: LaunchOptions['frameSource'] = (feed) => feed,
): HostInspection {
  const { endpoints, processes } = registry;
  const commands = endpoints.map(({ command }) => command.name);
  const { policy } = service.parts;
  const inspection = new Inspection({
    host: config.name,
    commands,
    ...(config.development && { withTexts: true, bodyOf: (type, body) => policy.bodyOf(type, body) }),
  });
  const failures = emitErrorEvents((message) => void report(message));
  const observed = {
    inspection,
    observer: fanOut(spans, inspection, failures),
    http: { observer: inspection },
  };
  if (!config.inspect) return { ...observed, routes: [], stop: () => undefined };
  const inspector = new Inspector(framesOf(inspection.feed), { access, page: 'console#/machines' });
  return {
    ...observed,
    routes: [inspector.route, machineRoutes(namedMachines(processes), access)],
    stop: () => inspector.stop(),
  };
}
