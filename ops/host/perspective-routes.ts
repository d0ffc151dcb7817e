import type { Access } from '../../endpoints/access/access.js';
import type { Authentication } from '../../endpoints/access/authentication.js';
import { type PerspectiveReads, perspectiveReads } from '../../endpoints/graphql/perspective-reads.js';
import { type PerspectiveWatches, perspectiveWatches } from '../../endpoints/graphql/perspective-watches.js';
import { type LiveRoutes, liveRoutes } from '../../endpoints/live/live-routes.js';
import { LiveStreams } from '../../endpoints/live/live-streams.js';
import { type ReadRoute, readRoutes } from '../../endpoints/queries/read-routes.js';
import type { Registry } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { LiveModels } from '../../runtime/live/live-models.js';
import { readModels } from '../../runtime/perspectives/reads/read-models.js';
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
    readonly queries: readonly PerspectiveReads[];
    readonly subscriptions: readonly PerspectiveWatches[];
    readonly live: LiveRoutes;
  };
  /** Ends every live stream; its client continues on another host. */
  close(): void;
}

/** The read endpoints of the application's perspectives, and streams of what changes in them. */
export function perspectiveRoutes(
  { registry, database, notifications, service }: RoutesHost,
  { authentication, pages }: HostAccess,
  { liveWatchers: watchers }: Config,
): PerspectiveRoutes {
  const { perspectives = [] } = registry;
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
  return {
    routes: {
      reads: readRoutes(perspectives, rows, authentication, isSensitive),
      queries: perspectiveReads(perspectives, rows, authentication, isSensitive),
      subscriptions: perspectiveWatches(perspectives, ports, isSensitive),
      live: liveRoutes(perspectives, { ...ports, isSensitive }),
    },
    close: () => {
      streams.close();
      models.stop();
    },
  };
}
