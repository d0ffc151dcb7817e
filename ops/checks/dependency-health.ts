import { setTimeout as delay } from 'node:timers/promises';
import { addAmqpBrokerHealthChecks } from '../../actors/health/health-additions.js';
import { startHealthBoard } from '../../actors/health/health-board.js';
import { outboxAgeCheck, serviceBusCheck } from '../../actors/health/transport-checks.js';
import type { CheckResult, HealthCheck } from '../../contracts/health.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { openDatabase } from '../../runtime/database/database.js';
import { ownerAt } from '../../runtime/database/schema-owner.js';
import { readOutboxBacklog } from '../../runtime/outbox/backlog.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import type { Config } from '../config/config.js';
import { clockAndGapChecks } from '../host/clock-and-gap-checks.js';
import { createService } from '../host/create-service.js';
import { configuredTransport } from '../host/messaging.js';
import type { DatabaseState } from './database.js';
import type { CheckOutcome } from './report.js';
import type { StoreUrls } from '../config/store-urls.js';

/** A broker that was just started needs a moment to accept connections. */
const settleMs = 5_000;

/**
 * The named health checks of what is outside a host, asked as a host would ask. Checks of a host itself, such as its
 * event loop, are for the post-deployment checks: no host of this version runs yet.
 */
export async function dependencyOutcomes(
  definition: ServiceDefinition,
  config: Config,
  { runtime, owner }: StoreUrls,
  { hasStore, role }: DatabaseState,
): Promise<CheckOutcome[]> {
  const database = openDatabase({
    url: runtime,
    connections: 2,
    applicationName: 'svc-check',
    ...(role === undefined ? {} : { role }),
  });
  const store = openPostgresStore(database, { host: config.name });
  const connection = () => Promise.resolve({ database, ...ownerAt(owner) });
  const service = createService(store, connection, definition, config);
  const transport = await configuredTransport(config);
  try {
    if (config.amqpUrl !== undefined) service.with(addAmqpBrokerHealthChecks(config.amqpUrl));
    const ofStore = [
      outboxAgeCheck(async () => (await readOutboxBacklog(database)).oldestAgeSeconds),
      ...clockAndGapChecks(database, () => undefined).checks,
    ];
    const results = await settled([
      serviceBusCheck(transport),
      ...(hasStore ? ofStore : []),
      ...service.parts.health.checks,
    ]);
    return results.map(outcomeOf);
  } finally {
    await transport.close().catch(() => undefined);
    await service.stop();
    await store.close();
    await database.close();
  }
}

/** The results once none is Unhealthy, or when the time is up. */
async function settled(checks: readonly HealthCheck[]): Promise<readonly CheckResult[]> {
  const board = startHealthBoard(checks);
  const until = performance.now() + settleMs;
  try {
    await board.reported(settleMs);
    while (board.status === 'Unhealthy' && performance.now() < until) await delay(50);
    return board.results;
  } finally {
    board.stop();
  }
}

const outcomeOf = ({ name, status, detail }: CheckResult): CheckOutcome => ({
  name,
  ok: status !== 'Unhealthy',
  detail: detail === null ? status : `${status}: ${detail}`,
});
