import type { PerspectiveLag } from '../../actors/health/perspectives-check.js';
import type { CommandGuard } from '../../actors/commands/command-handler.js';
import type { StepDispatcher } from '../../actors/reactions/step-attempt.js';
import { type ReactionsOptions, ServiceReactions } from '../../actors/reactions/service-reactions.js';
import type { MovedActor } from '../../actors/steps/moved-actor.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { HttpServer } from '../../endpoints/routes/http-server.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Service } from '../../runtime/service/service.js';
import type { WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import type { Config } from '../config/config.js';
import { startPerspectives } from './perspectives.js';

interface ReactionPorts {
  readonly service: Service;
  readonly dispatcher: StepDispatcher;
  /** Of the application. */
  readonly version: string;
  readonly supervisor: Supervisor;
  readonly definition: ServiceDefinition;
  readonly inspection: Inspection;
  readonly guard?: CommandGuard | undefined;
  readonly webhooks?: WebhookHost | undefined;
}

/** What follows the log. */
interface Runners {
  readonly lags: () => readonly PerspectiveLag[];
  readonly reactions: ServiceReactions;
  /** Requests come first: reactions and timers wait while this server refuses some. */
  yieldTo<Server extends RequestLoad>(server: Server): Server;
}

type RequestLoad = Pick<HttpServer, 'isShedding' | 'isServing'>;

/** Starts perspectives, then reactions. */
export async function startRunners(
  ports: ReactionPorts & { readonly registry: Registry },
  config: Config,
): Promise<Runners> {
  const { registry } = ports;
  let current: RequestLoad | undefined;
  const lags = await startPerspectives(ports, registry, config);
  const reactions = await startReactions(ports, registry, config, {
    isShedding: () => current?.isShedding === true,
    isServing: () => current?.isServing === true,
  });
  return { lags, reactions, yieldTo: (server) => (current = server) };
}

/** Starts the application's reactions, processes and schedules, and the timers that any receptor may set. */
async function startReactions(
  { service, dispatcher, supervisor, inspection, guard, version, webhooks }: ReactionPorts,
  registry: Registry,
  { deadlineMs, name: host }: Config,
  more: Pick<ReactionsOptions, 'isShedding' | 'isServing'>,
): Promise<ServiceReactions> {
  const options = { dispatcher, deadlineMs, guard, version, host, webhooks, ...more };
  const moved = (actor: MovedActor): void => inspection.feed.showActor(actor);
  const reactions = new ServiceReactions(service.parts, registry, { ...options, moved });
  await supervisor.start(reactions);
  return reactions;
}
