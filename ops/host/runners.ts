import type { PerspectiveLag } from '../../actors/health/perspectives-check.js';
import type { StepDispatcher } from '../../actors/reactions/step-attempt.js';
import { ServiceReactions } from '../../actors/reactions/service-reactions.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import type { Service } from '../../runtime/service/service.js';
import type { Config } from '../config.js';
import { serviceSourceOf } from '../load-service.js';
import { startPerspectives } from './perspectives.js';

interface ReactionPorts {
  readonly service: Service;
  readonly dispatcher: StepDispatcher;
  readonly notifications: NotificationSource;
  readonly supervisor: Supervisor;
  readonly definition: ServiceDefinition;
}

/** Starts what follows the log: perspectives, then reactions. Reports the lag of the perspectives. */
export async function startRunners(
  ports: ReactionPorts,
  registry: Registry,
  config: Config,
): Promise<() => readonly PerspectiveLag[]> {
  const lags = await startPerspectives(ports, registry, config);
  await startReactions(ports, registry, config);
  return lags;
}

/** Starts the application's reactions, processes and schedules, and the timers that any receptor may set. */
async function startReactions(
  { service, dispatcher, notifications, supervisor, definition }: ReactionPorts,
  registry: Registry,
  { name: host, deadlineMs }: Config,
): Promise<void> {
  const version = definition.version ?? serviceSourceOf(definition)?.version ?? '0';
  const options = { dispatcher, notifications, host, version, deadlineMs };
  await supervisor.start(new ServiceReactions(service.parts, registry, options));
}
