import fastify, { type RouteOptions } from 'fastify';
import type { OwnRoutes } from '../route-access.js';
import { loadOwnRoutes, undeclaredIn } from './load-own-routes.js';
import { decorateRequests } from './own-routes.js';

/** The own routes that declare no permission, found on a server that never listens. */
export async function findUndeclaredOwnRoutes(routes: OwnRoutes): Promise<readonly string[]> {
  const app = fastify({ logger: false, exposeHeadRoutes: false });
  decorateRequests(app);
  let loaded: readonly RouteOptions[] = [];
  try {
    ({ routes: loaded } = await loadOwnRoutes(app, routes));
  } finally {
    // Plugins release what they opened.
    await app.close().catch(() => undefined);
  }
  return undeclaredIn(loaded);
}
