import type { FastifyInstance, RouteOptions } from 'fastify';
import { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import type { OwnRoutes } from '../route-access.js';
import { watchHooks } from './watch-hooks.js';

interface LoadedRoutes {
  readonly routes: readonly RouteOptions[];
  /** Commands must pass every hook of the framework: the application has some that run after `onRequest`. */
  readonly runsEveryHook: boolean;
}

/** Lets the application add its routes and plugins, and waits until all plugins are loaded. */
export async function loadOwnRoutes(
  app: FastifyInstance,
  routes: OwnRoutes,
  onRoute: (route: RouteOptions) => void = () => undefined,
): Promise<LoadedRoutes> {
  const loaded: RouteOptions[] = [];
  let isLoading = true;
  app.addHook('onRoute', (route) => {
    if (!isLoading) return;
    loaded.push(route);
    onRoute(route);
  });
  const hooks = watchHooks(app);
  try {
    await routes(app);
    await app.after();
  } catch (cause) {
    throw setupFailure(cause);
  } finally {
    hooks.end();
  }
  isLoading = false;
  for (const route of loaded) mustBePermission(route);
  return { routes: loaded, runsEveryHook: hooks.found };
}

/** `GET /reports` */
export const nameOf = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string =>
  `${[method].flat().join(',')} ${url}`;

/** Answers preflights, which carry no credentials. */
export const isPreflight = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): boolean =>
  method === 'OPTIONS' && url.endsWith('*');

/** The own routes that declare no permission. */
export const undeclaredIn = (loaded: readonly RouteOptions[]): readonly string[] =>
  loaded
    .filter((route) => {
      return route.config?.permission === undefined && route.method !== 'HEAD' && !isPreflight(route);
    })
    .map(nameOf);

function mustBePermission(route: RouteOptions): void {
  const permission: unknown = route.config?.permission;
  if (permission === undefined || permission === 'public' || permission === 'authenticated') return;
  if (permission instanceof Permission) return;
  throw new Problem('invalid-setup', {
    detail: `The permission of ${nameOf(route)} must be 'public', 'authenticated' or Permission.of(…).`,
  });
}

const hints: Readonly<Record<string, string>> = {
  FST_ERR_ERROR_HANDLER_ALREADY_SET:
    'call setErrorHandler in a plugin of your own: app.register(async (scope) => scope.setErrorHandler(…))',
};

/** One line that says what to change. */
export function setupFailure(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  const { code = '', message } = cause as { readonly code?: string; readonly message?: string };
  return new Problem('invalid-setup', {
    detail: `The service's routes cannot be loaded: ${hints[code] ?? message ?? String(cause)}`,
    cause,
  });
}
