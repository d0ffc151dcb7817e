import type { FastifyInstance } from 'fastify';
import { type Bakery, type Kitchen, withBakery } from '../../testing/bakery.js';

export type Routes = (app: FastifyInstance) => unknown;

/** A listening bakery whose application adds these routes and plugins. */
export const withOwnRoutes = (
  ownRoutes: Routes,
  body: (bakery: Bakery) => Promise<void>,
  { http, ...kitchen }: Kitchen = {},
): Promise<void> => withBakery({ ...kitchen, http: { ...http, ownRoutes } }, body);
