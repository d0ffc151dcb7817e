import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { nameOf, setupFailure } from './load-own-routes.js';

/** Adds the routes of the host after those of the application; a path that both want is named in one line. */
export function addBesideOwnRoutes(app: FastifyInstance, add: () => void): void {
  let adding = '';
  app.addHook('onRoute', (route) => {
    adding = nameOf(route);
  });
  try {
    add();
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'FST_ERR_DUPLICATED_ROUTE') throw setupFailure(error);
    throw new Problem('invalid-setup', {
      detail: `${adding} is already a route of this host; give the route in your routes(app) another path`,
    });
  }
}
