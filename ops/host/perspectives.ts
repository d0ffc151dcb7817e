import type { PerspectiveLag } from '../../actors/health/perspectives-check.js';
import { addServicePerspectives } from '../../actors/perspectives/add-service-perspectives.js';
import { RunningPerspectives } from '../../actors/perspectives/running-perspectives.js';
import type { Child } from '../../actors/supervisor/child.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { ModelReader } from '../../contracts/model-query.js';
import type { Long } from '../../contracts/scalars.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Database } from '../../runtime/database/database.js';
import type { FoldThreads } from '../../runtime/perspectives/rebuild/fold-thread.js';
import { storedModels } from '../../runtime/perspectives/reads/model-reader.js';
import { readModels } from '../../runtime/perspectives/reads/read-models.js';
import type { Service } from '../../runtime/service/service.js';
import { serviceSourceOf } from '../service/load-service.js';
import type { Config } from '../config/config.js';

interface PerspectivePorts {
  readonly service: Service;
  readonly supervisor: Supervisor;
  readonly definition: ServiceDefinition;
}

/** Where the threads of a rebuild load the perspectives of an application from. */
export function rebuildThreadsFor(
  definition: ServiceDefinition,
  { rebuildThreads: count }: Config,
): FoldThreads | undefined {
  const source = serviceSourceOf(definition);
  if (source === undefined) return undefined;
  const entry = new URL('rebuild-thread.js', import.meta.url);
  return { entry, argv: [source.module], ...(count === undefined ? {} : { count }) };
}

/** Starts the application's perspectives and reports their lag. */
export async function startPerspectives(
  { service, supervisor, definition }: PerspectivePorts,
  { perspectives = [] }: Registry,
  config: Config,
): Promise<() => readonly PerspectiveLag[]> {
  const threads = rebuildThreadsFor(definition, config);
  const options = threads === undefined ? {} : { threads };
  if (perspectives.length > 0) service.with(addServicePerspectives(perspectives, options));
  const { perspectives: running } = service.parts;
  if (running instanceof RunningPerspectives) await supervisor.start(perspectivesChild(running));
  return () =>
    service.perspectives.map(({ name, lag, behindSeconds, parked, error, notServed }) => ({
      name,
      events: lag,
      seconds: behindSeconds,
      parked,
      ...(error === undefined ? {} : { error }),
      ...(notServed === undefined ? {} : { notServed }),
    }));
}

/** They restart their runners themselves; when they give up on one, the host stops. */
const perspectivesChild = (running: RunningPerspectives): Child => ({
  name: 'perspectives',
  isVital: true,
  start: async (crashed) => {
    await running.started;
    void running.ended.then((failure) => failure !== undefined && crashed(failure));
    return {
      stop: () => running.stop(),
      get children() {
        return running.tree;
      },
    };
  },
});

/** What receptors read of the application's perspectives. */
export const modelsForReceptors = ({ perspectives = [] }: Registry, database: Database): ModelReader =>
  storedModels(perspectives, readModels(database));

/** Waits until all have reached a position; returns whether one of them has parked a row of the committed events. */
export const waitUntilCaughtUp =
  (service: Service) =>
  async (position: Long, signal: AbortSignal, from: Long): Promise<'parked' | undefined> => {
    await Promise.all(service.perspectives.map(({ name }) => service.caughtUp(name, position, signal)));
    return (await service.parts.perspectives?.isParked(from, position)) === true ? 'parked' : undefined;
  };
