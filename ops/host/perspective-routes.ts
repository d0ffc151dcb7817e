import type { Access } from '../../endpoints/access/access.js';
import type { Authentication } from '../../endpoints/access/authentication.js';
import { perspectiveReads } from '../../endpoints/graphql/perspective-reads.js';
import { type PerspectiveWatches, perspectiveWatches } from '../../endpoints/graphql/perspective-watches.js';
import { type LiveRoutes, liveRoutes } from '../../endpoints/live/live-routes.js';
import { LiveStreams } from '../../endpoints/live/live-streams.js';
import type { SchemaReads } from '../../endpoints/graphql/query-fields.js';
import { isVisible, ProcessReads } from '../../endpoints/processes/process-reads.js';
import { processRoutes } from '../../endpoints/processes/process-routes.js';
import { type ReadRoute, readRoutes } from '../../endpoints/queries/read-routes.js';
import type { Registry } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { LiveModels } from '../../runtime/live/live-models.js';
import { readModels } from '../../runtime/perspectives/reads/read-models.js';
import { AwaitedInstances } from '../../runtime/reactions/awaited-instances.js';
import type { Service } from '../../runtime/service/service.js';
import type { Config } from '../config/config.js';

interface RoutesHost {
  readonly registry: Registry;
  readonly database: Database;
  readonly notifications: NotificationSource;
  readonly service: Service;
}

interface HostAccess {
  readonly authentication: Authentication | undefined;
  readonly pages: Access;
}

interface PerspectiveRoutes {
  readonly routes: {
    readonly reads: readonly ReadRoute[];
    readonly queries: readonly SchemaReads[];
    readonly subscriptions: readonly PerspectiveWatches[];
    readonly live: LiveRoutes;
  };
  /** Ends every live stream; its client continues on another host. */
  close(): void;
}

/** The read endpoints of the application's perspectives and processes, and streams of what changes in them. */
export function perspectiveRoutes(
  { registry, database, notifications, service }: RoutesHost,
  { authentication, pages }: HostAccess,
  { liveWatchers: watchers }: Config,
): PerspectiveRoutes {
  const { perspectives = [], processes = [] } = registry;
  const { policy, unitStore } = service.parts;
  const models = new LiveModels({ database, notifications, upcasters: unitStore?.upcasters });
  const onAccessChange = (changed: () => void) =>
    notifications.subscribe((channel) => {
      if (channel === 'svc_access') changed();
    });
  const streams = new LiveStreams({ watchers }, pages.proxies, onAccessChange);
  const isSensitive = (type: string): boolean => policy.isSensitive(type);
  const rows = readModels(database);
  const ports = { models, streams, authentication };
  const instances = new AwaitedInstances({ database, notifications });
  const visible = processes
    .filter(isVisible)
    .map((process) => new ProcessReads(process, instances, authentication !== undefined));
  const live = liveRoutes(perspectives, { ...ports, isSensitive });
  const waits = processRoutes(visible, {
    authentication,
    callerOf: (request) => streams.callerOf(request),
  });
  return {
    routes: {
      reads: readRoutes(perspectives, rows, authentication, isSensitive),
      queries: [...perspectiveReads(perspectives, rows, authentication, isSensitive), ...visible],
      subscriptions: perspectiveWatches(perspectives, ports, isSensitive),
      live: {
        add: (app, server) => {
          live.add(app, server);
          waits.add(app, server);
        },
      },
    },
    close: () => {
      streams.close();
      models.stop();
      instances.stop();
    },
  };
}
