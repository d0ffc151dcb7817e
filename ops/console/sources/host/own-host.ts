import type { LocalDispatcher } from '../../../../actors/commands/dispatcher.js';
import type { HealthBoard } from '../../../../actors/health/health-board.js';
import type { ServiceReactions } from '../../../../actors/reactions/service-reactions.js';
import type { Supervisor } from '../../../../actors/supervisor/supervisor.js';
import type { CheckResult } from '../../../../contracts/health.js';
import type { Registry } from '../../../../endpoints/service-definition.js';
import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { ActingOperator } from '../../../../runtime/store/operator-action.js';
import type { Database } from '../../../../runtime/database/database.js';
import { recorderOf } from '../../../../runtime/service/change-recorder.js';
import type { Service } from '../../../../runtime/service/service.js';
import { version } from '../../../../runtime/lang/version.js';
import type { Config } from '../../../config/config.js';
import { namedMachines } from '../../../service/state-machines.js';
import { definitionOf } from '../../model/machine-definition.js';
import { panelsAnd } from '../../model/panels.js';
import { actorTree } from '../../model/actor-tree.js';
import type { ActedBy } from '../../model/acted-by.js';
import type { HealthItem } from '../../model/health.js';
import type { RelayFigures } from '../../model/outbox.js';
import type { ConsoleHost, ConsoleSource } from '../../model/console-source.js';
import { flagsPart } from './flags-part.js';
import { CountsHistory } from './counts-history.js';
import { deploymentsPart } from './deployments-part.js';
import { effectsPart } from './effects-part.js';
import { eventModelPart } from './event-model-part.js';
import { figuresOf, lifecyclePart } from './lifecycle-part.js';
import { outboxPart } from './outbox-part.js';
import { processesPart } from './processes-part.js';
import { perspectivesPart } from './perspectives-part.js';
import { streamsPart } from './streams-part.js';
import { stuckPart } from './stuck-part.js';
import { systemPart } from './system-stream-part.js';

/** The parts of a host that its console uses. */
export interface HostParts {
  readonly definition: { readonly name: string };
  readonly registry: Pick<Registry, 'approvals' | 'effects' | 'processes' | 'reactions' | 'schedules'>;
  readonly service: Pick<Service, 'perspectives' | 'parts'>;
  readonly database: Database;
  readonly inspection: Inspection;
  readonly relay: () => RelayFigures;
  readonly subscriber: () => { readonly state: string } | undefined;
  readonly board: Pick<HealthBoard, 'state' | 'status' | 'results'>;
  readonly supervisor: Pick<Supervisor, 'tree'>;
  readonly dispatcher: Pick<LocalDispatcher, 'loads'>;
  readonly reactions: Pick<ServiceReactions, 'followers'>;
}

/** A host as seen by its own process. */
export interface OwnHost extends Pick<HostParts, 'database' | 'inspection' | 'relay'> {
  readonly host: ConsoleHost;
  stop(): void;
}

export function ownHost(parts: HostParts, { name: host, broadcast }: Config): OwnHost {
  const { definition, registry, service, database, inspection, relay, board } = parts;
  const operatorOf = ({ actor, reason }: ActedBy): ActingOperator => ({
    operator: { ...recorderOf(service.parts, host), changedBy: actor },
    reason,
  });
  const history = new CountsHistory(() => figuresOf(inspection));
  const consoleHost: ConsoleHost = {
    about: {
      host,
      service: definition.name,
      version,
      broadcasts: broadcast,
      startedAt: new Date().toISOString(),
      rebuilds: service.perspectives.length > 0,
      ...(registry.approvals === undefined ? {} : { panels: panelsAnd('approvals') }),
    },
    lifecycle: lifecyclePart(inspection, database, history),
    streams: streamsPart(database, service),
    system: systemPart(database),
    perspectives: perspectivesPart(database, service, operatorOf),
    processes: processesPart(database, registry.processes ?? [], operatorOf),
    effects: effectsPart(database, registry.effects ?? []),
    stuck: stuckPart(database, operatorOf),
    outbox: outboxPart(database, relay, service.parts.policy, operatorOf),
    flags: flagsPart(database, host, service.parts),
    map: eventModelPart(parts),
    deployments: deploymentsPart(database),
    machines: () =>
      namedMachines(registry.processes).map(({ name, machine }) => ({ ...definitionOf(machine), id: name })),
    actors: () => actorTree(parts),
    health: () => ({ status: board.status, checks: board.results.map(lineOf) }),
  };
  return { host: consoleHost, database, inspection, relay, stop: () => history.stop() };
}

/** A host without peers. */
export function singleHostSource({ host }: OwnHost): ConsoleSource {
  const { host: name } = host.about;
  return {
    hosts: () => [name],
    select: (selection) => (selection.host === undefined || selection.host === name ? host : undefined),
  };
}

const lineOf = ({ detail, ...check }: CheckResult): HealthItem => ({ ...check, detail: detail ?? undefined });
