import { addAmqpBrokerHealthChecks } from '../actors/health/additions.js';
import { type HealthBoard, startHealthBoard } from '../actors/health/board.js';
import {
  eventLoopCheck,
  outboxAgeCheck,
  perspectiveLagCheck,
  relationalDbCheck,
  serviceBusCheck,
  subscriptionsCheck,
} from '../actors/health/named-checks.js';
import type { PerspectiveLag } from '../actors/health/named-checks.js';
import type { Subscription, Transport } from '../contracts/transport.js';
import type { Database } from '../runtime/database/database.js';
import { type OutboxBacklog, readOutboxBacklog } from '../runtime/outbox/backlog.js';
import type { Service } from '../runtime/service.js';
import type { Config } from './config.js';

/** What the checks of a host look at. */
export interface HealthSources {
  readonly database: Database;
  readonly transport: Transport;
  readonly service: Service;
  readonly subscriptions: () => readonly Pick<Subscription, 'name' | 'isUp'>[];
  readonly lags: () => readonly PerspectiveLag[];
}

export interface HostHealth {
  readonly board: HealthBoard;
  /** As the last round trip to the database found it. */
  readonly backlog: () => OutboxBacklog;
  stop(): void;
}

/** Before it listens a host knows how its dependencies are, but does not wait for a broken one. */
const firstReportsMs = 2_500;

export async function watchHealth(
  sources: HealthSources,
  { amqpUrl }: Pick<Config, 'amqpUrl'>,
): Promise<HostHealth> {
  const { database, transport, service, subscriptions, lags } = sources;
  let backlog: OutboxBacklog = { messages: 0, oldestAgeSeconds: 0 };
  if (amqpUrl !== undefined) service.with(addAmqpBrokerHealthChecks(amqpUrl));
  const loop = eventLoopCheck();
  const board = startHealthBoard([
    subscriptionsCheck(subscriptions),
    relationalDbCheck(async () => {
      backlog = await readOutboxBacklog(database);
    }),
    serviceBusCheck(transport),
    outboxAgeCheck(() => backlog.oldestAgeSeconds),
    loop,
    perspectiveLagCheck(lags),
    ...service.parts.health.checks,
  ]);
  await board.reported(firstReportsMs);
  const stop = (): void => {
    board.stop();
    loop.stop();
  };
  return { board, backlog: () => backlog, stop };
}
