import type { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import type { HealthBoard } from '../../actors/health/board.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import { Problem } from '../../contracts/problems.js';
import type { CheckResult } from '../../contracts/health.js';
import type { ConsoleHost, ConsoleSource, HealthLine } from '../../endpoints/console/source.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import type { RouteAddition } from '../../endpoints/http/server.js';
import type { ServiceDefinition } from '../../endpoints/registry.js';
import { consoleRoutes } from '../../endpoints/routes/console.js';
import { recordOperatorAction } from '../../runtime/audit/operator-action.js';
import type { Database } from '../../runtime/database/database.js';
import { log } from '../../runtime/log.js';
import type { RebuildRequest } from '../../runtime/perspectives/rebuild-request.js';
import type { Service } from '../../runtime/service.js';
import { version } from '../../runtime/version.js';
import type { Config } from '../config.js';
import { accessOf } from './access.js';
import { actorsOf } from '../console/actor-tree.js';
import { consoleFiles } from '../console/files.js';
import { lifecyclePart } from '../console/lifecycle-part.js';
import { outboxPart, type RelayFigures } from '../console/outbox-part.js';
import { systemPart } from '../console/system-part.js';
import type { Neighbours } from '../neighbours.js';

export interface HostConsole {
  readonly definition: Pick<ServiceDefinition, 'name' | 'console'>;
  readonly service: Pick<Service, 'perspectives' | 'parts'>;
  readonly database: Database;
  readonly inspection: Inspection;
  readonly relay: () => RelayFigures;
  readonly board: Pick<HealthBoard, 'status' | 'results'>;
  readonly supervisor: Pick<Supervisor, 'tree'>;
  readonly dispatcher: Pick<LocalDispatcher, 'loads'>;
}

export interface ConsoleOfHost {
  readonly routes: readonly RouteAddition[];
  close(): void;
}

/** The console of one host and its neighbours, made of what the host is made of; nothing where nobody may look. */
export async function consoleOf(
  parts: HostConsole,
  config: Config,
  neighbours?: Neighbours,
): Promise<ConsoleOfHost> {
  if (!config.inspect) return { routes: [], close: () => undefined };
  const { definition, database } = parts;
  const host = hostOf(parts, config);
  const source =
    definition.console?.(host, database) ?? neighbours?.console({ ...parts, host }) ?? oneHost(host);
  const { add, close } = consoleRoutes(source, await consoleFiles(), accessOf(config));
  return { routes: [add], close };
}

function oneHost(host: ConsoleHost): ConsoleSource {
  const { host: name } = host.about;
  return {
    hosts: () => [name],
    at: (place) => (place.host === undefined || place.host === name ? host : undefined),
  };
}

function hostOf(parts: HostConsole, { name: host, broadcast }: Config): ConsoleHost {
  const { definition, service, database, inspection, relay, board } = parts;
  return {
    about: {
      host,
      service: definition.name,
      version,
      broadcasts: broadcast,
      startedAt: new Date().toISOString(),
      rebuilds: service.perspectives.length > 0,
    },
    lifecycle: lifecyclePart(inspection, database),
    record: (action) => recordOperatorAction(service.parts.emitter, action),
    system: systemPart(database),
    perspectives: {
      list: () => service.perspectives,
      rebuild: (perspective, request) => startRebuild(service, perspective, request),
      release: async (perspective) => (await service.parts.perspectives?.release(perspective)) ?? 0,
    },
    outbox: outboxPart(database, relay),
    actors: () => actorsOf(parts),
    health: () => ({ status: board.status, checks: board.results.map(lineOf) }),
  };
}

/** Answers when it has begun; how far it is stands in the list. */
async function startRebuild(
  { parts }: Pick<Service, 'parts'>,
  name: string,
  request: RebuildRequest,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parts.perspectives?.rebuild(name, { ...request, progress: () => resolve() }).catch((err: unknown) => {
      log.warn({ err, perspective: name }, 'a rebuild has ended early');
      reject(err instanceof Error ? err : new Problem('unexpected', { cause: err }));
    });
  });
}

const lineOf = ({ detail, ...check }: CheckResult): HealthLine => ({ ...check, detail: detail ?? undefined });
