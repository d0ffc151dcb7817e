import { Problem } from '../../contracts/problems.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Config } from '../config.js';

/** Refuses a service that is not ready for callers, before anything of it is migrated. */
export function mustBeReady({ authenticate }: ServiceDefinition, { auth }: Config, registry: Registry): void {
  if (authenticate !== undefined || auth.length > 0) mustDeclarePermissions(registry);
}

/** A forgotten permission must not open a route: the service does not start. */
export function mustDeclarePermissions({ endpoints, perspectives = [] }: Registry): void {
  const undeclared = [
    ...endpoints
      .filter(({ permission, restRoute, graphQLMutation }) => {
        return permission === undefined && (restRoute !== null || graphQLMutation !== null);
      })
      .map(({ command }) => command.name),
    ...perspectives
      .filter(({ permission, route }) => permission === undefined && route !== undefined)
      .map(({ name }) => name),
  ];
  if (undeclared.length === 0) return;
  throw new Problem('invalid-setup', {
    detail: `These declare no permission: ${undeclared.join(', ')}; give each one permission: 'public', 'authenticated' or Permission.of(…)`,
  });
}
