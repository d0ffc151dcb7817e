import type { PerspectiveLag } from '../../actors/health/named-checks.js';
import type { SessionSource } from '../../actors/outbox/outbox-wake-ups.js';
import { addServicePerspectives } from '../../actors/perspectives/perspectives.js';
import type { Long } from '../../contracts/scalars.js';
import { type ReadRoute, readRoutes } from '../../endpoints/queries/routes.js';
import type { Registry } from '../../endpoints/registry.js';
import type { Database } from '../../runtime/database/database.js';
import { readModels } from '../../runtime/perspectives/read-models.js';
import type { Service } from '../../runtime/service.js';

/** Brings the application's perspectives to life and answers how far they are behind. */
export async function runPerspectives(
  service: Service,
  { perspectives = [] }: Registry,
  listening: SessionSource,
): Promise<() => readonly PerspectiveLag[]> {
  if (perspectives.length > 0) service.with(addServicePerspectives(perspectives, { listening }));
  await service.parts.perspectives?.started;
  return () =>
    service.perspectives.map(({ name, lag, behindSeconds, parked, error }) => ({
      name,
      events: lag,
      seconds: behindSeconds,
      parked,
      ...(error === undefined ? {} : { error }),
    }));
}

/** Where the application's perspectives can be read. */
export const readable = ({ perspectives = [] }: Registry, database: Database): readonly ReadRoute[] =>
  readRoutes(perspectives, readModels(database));

/** Waits until all of them have seen a position. */
export const allCaughtUp =
  (service: Service) =>
  async (position: Long, signal: AbortSignal): Promise<void> => {
    await Promise.all(service.perspectives.map(({ name }) => service.caughtUp(name, position, signal)));
  };
