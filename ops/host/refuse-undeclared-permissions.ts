import { Problem } from '../../contracts/problems.js';
import { findUndeclaredOwnRoutes } from '../../endpoints/own-routes/find-undeclared-own-routes.js';
import { withRegistered } from '../../endpoints/own-routes/registered-routes.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Config } from '../config/config.js';
import { mustHaveMasterKey } from './subjects.js';

/** Refuses a service that is not ready for callers, before anything of it is migrated. */
export async function mustBeReady(
  definition: ServiceDefinition,
  config: Config,
  registry: Registry,
): Promise<void> {
  mustHaveMasterKey(definition, config, registry);
  if (definition.authenticate === undefined && config.auth.length === 0) return;
  const routes = withRegistered(definition.routes, registry.routes);
  mustDeclarePermissions(registry, routes && (await findUndeclaredOwnRoutes(routes)));
}

/** A forgotten permission must not open a route: the service does not start. */
export function mustDeclarePermissions(
  { endpoints, perspectives = [] }: Registry,
  ownRoutes: readonly string[] = [],
): void {
  const undeclared = [
    ...endpoints
      .filter(({ permission, restRoute, graphQLMutation }) => {
        return permission === undefined && (restRoute !== null || graphQLMutation !== null);
      })
      .map(({ command }) => command.name),
    ...perspectives
      .filter(({ permission, route }) => permission === undefined && route !== undefined)
      .map(({ name }) => name),
    ...ownRoutes,
  ];
  if (undeclared.length === 0) return;
  throw new Problem('invalid-setup', {
    detail: `These declare no permission: ${undeclared.join(', ')}; give each one permission: 'public', 'authenticated' or Permission.of(…)`,
  });
}
