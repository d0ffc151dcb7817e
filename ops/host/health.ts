import { broadcastCheck } from '../../actors/health/broadcast-check.js';
import type { CommandGuard } from '../../actors/commands/command-handler.js';
import { addAmqpBrokerHealthChecks } from '../../actors/health/health-additions.js';
import { type HealthBoard, startHealthBoard } from '../../actors/health/health-board.js';
import type { Clocks } from '../../actors/health/clock-skew-check.js';
import { relationalDbCheck } from '../../actors/health/database-check.js';
import { replicationCheck } from '../../actors/health/replication-check.js';
import { storeHistoryCheck } from '../../actors/health/store-history-check.js';
import { type PerspectiveLag, perspectivesCheck } from '../../actors/health/perspectives-check.js';
import { leasesCheck } from '../../actors/health/leases-check.js';
import { eventLoopCheck, quarantineCheck, toolsCheck } from '../../actors/health/process-checks.js';
import { outboxAgeCheck, serviceBusCheck, subscriptionsCheck } from '../../actors/health/transport-checks.js';
import { startHostStatusPublisher } from '../../actors/host-status-publisher.js';
import type { Subscriber } from '../../actors/subscriber/start-subscriber.js';
import type { HealthCheck } from '../../contracts/health.js';
import type { Transport } from '../../contracts/transport.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { mustBeWritable, mustHaveSpace } from '../../runtime/database/must-be-writable.js';
import { readReplicationState } from '../../runtime/database/replication-state.js';
import type { ReceivedGap } from '../../runtime/inbox/received-gaps.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { log } from '../../runtime/logging/log.js';
import { type OutboxBacklog, readOutboxBacklog } from '../../runtime/outbox/backlog.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { recorderOf } from '../../runtime/service/change-recorder.js';
import type { Service } from '../../runtime/service/service.js';
import { checkHistory } from '../../runtime/store/check-history.js';
import { recordBroadcast } from '../../runtime/store/store-broadcast.js';
import { version } from '../../runtime/lang/version.js';
import type { Config } from '../config/config.js';
import { readUnlessIdle } from './counted.js';
import { type HostDatabase, keepSeen, storeIdOf } from './database.js';
import { clockAndGapChecks } from './clock-and-gap-checks.js';
import { reactionHealth, type ReactionSources, type ReactionState } from './reaction-health.js';

type WatchedSubscriber = Pick<Subscriber, 'subscriptions' | 'isFull' | 'clocks'>;

/** The parts of a host that its checks look at. */
interface HealthSources {
  readonly connection: Pick<HostDatabase, 'database' | 'liveness' | 'witness' | 'witnessFile'>;
  readonly transport: Transport;
  readonly service: Service;
  readonly subscriber: () => WatchedSubscriber | undefined;
  /** What to do about another store of this service on the broker; without a broker there is no such question. */
  readonly sameService?: (() => string | undefined) | undefined;
  readonly leases: Pick<HostLeases, 'watch' | 'head' | 'renewal'>;
  readonly lags: () => readonly PerspectiveLag[];
  readonly reactions: ReactionSources;
  /** Notified that messages wait, in case the relay missed it. */
  readonly relay: () => { wake(): void; readonly failure: string | undefined };
  readonly definition: Pick<ServiceDefinition, 'name'>;
  readonly guard?: CommandGuard | undefined;
  readonly registry: Pick<Registry, 'tools'>;
}

export interface HostHealth {
  readonly board: HealthBoard;
  /** The last known state. */
  readonly backlog: () => OutboxBacklog;
  readonly clocks: () => Clocks;
  readonly gaps: () => readonly ReceivedGap[];
  readonly reactions: () => ReactionState;
  stop(): Promise<void>;
}

/** Requests are served as well without its answer: a check of ours that fails does not make the host unready. */
const failingSoftly = (check: HealthCheck): HealthCheck => ({ ...check, failsAs: 'Degraded' });

const applicationChecks = (
  { tools }: HealthSources['registry'],
  guard: CommandGuard | undefined,
): readonly HealthCheck[] => [
  ...(tools === undefined ? [] : [toolsCheck(tools)]),
  ...(guard === undefined ? [] : [quarantineCheck(() => guard.quarantine.entries)]),
];

/** Runs the checks once before the host listens, without waiting for a broken dependency. */
const firstReportsMs = 2_500;

/** While nothing is stored and nothing waits. */
const backlogAgainMs = 60_000;

export async function startHostHealth(
  sources: HealthSources,
  config: Pick<Config, 'amqpUrl' | 'natsUrl' | 'name' | 'durability' | 'broadcast'>,
): Promise<HostHealth> {
  const { amqpUrl, natsUrl, name, durability, broadcast } = config;
  const { connection, transport, service, subscriber, lags, relay, guard, registry } = sources;
  const { database } = connection;
  const outbox = outboxBacklog(database, sources);
  if (amqpUrl !== undefined) service.with(addAmqpBrokerHealthChecks(amqpUrl));
  const loop = eventLoopCheck();
  const broadcasting = await startBroadcastCheck(sources, broadcast);
  const received = clockAndGapChecks(database, subscriber, sources.sameService);
  const reacting = reactionHealth(sources);
  const checks = [
    subscriptionsCheck(
      () => subscriber()?.subscriptions ?? [],
      () => subscriber()?.isFull === true,
    ),
    ...storeChecks(sources, name, durability),
    failingSoftly(broadcasting),
    serviceBusCheck(transport, { isInProcess: natsUrl === undefined }),
    ...[
      outboxAgeCheck(outbox.oldestSeconds, () => relay().failure),
      loop,
      perspectivesCheck(lags),
      ...reacting.checks,
      ...received.checks,
      ...applicationChecks(registry, guard),
    ].map(failingSoftly),
    ...service.parts.health.checks,
  ];
  const board = startHealthBoard(checks, [leasesCheck(sources.leases, perspectiveOf(service))]);
  await board.reported(firstReportsMs);
  const statusReports = await startStatusReports(sources, name, board);
  const stop = async (): Promise<void> => {
    await statusReports.stop();
    board.stop();
    loop.stop();
    broadcasting.stop();
  };
  const { clocks, gaps } = received;
  return { board, backlog: outbox.last, clocks, gaps, reactions: reacting.state, stop };
}

function outboxBacklog(
  database: HostDatabase['database'],
  { leases, relay }: Pick<HealthSources, 'leases' | 'relay'>,
) {
  let last: OutboxBacklog = { messages: 0, oldestAgeSeconds: 0, isReadOnly: false };
  const read = readUnlessIdle(
    leases,
    async () => (last = await readOutboxBacklog(database)),
    ({ messages }) => messages === 0,
    backlogAgainMs,
  );
  const oldestSeconds = async (): Promise<number> => {
    const { messages, oldestAgeSeconds } = await read();
    if (messages > 0) relay().wake();
    return oldestAgeSeconds;
  };
  return { last: () => last, oldestSeconds };
}

/** The lease of a perspective is its table. */
const perspectiveOf =
  ({ parts }: Service) =>
  (lease: string): string | undefined => {
    const own = parts.perspectives?.declared.find((one) => perspectiveTable(one).table === lease);
    return own && `perspective/${own.name}`;
  };

async function startBroadcastCheck(
  { connection, leases }: Pick<HealthSources, 'connection' | 'leases'>,
  broadcast: boolean,
): Promise<ReturnType<typeof broadcastCheck>> {
  // The check reports a record that differs.
  await recordBroadcast(connection.database, broadcast).catch((err: unknown) =>
    log.warn({ err }, 'the broadcast setting of this host could not be recorded for the command line'),
  );
  return broadcastCheck(broadcast, leases);
}

function storeChecks(
  { connection, service }: Pick<HealthSources, 'connection' | 'service'>,
  host: string,
  durability: Config['durability'],
): readonly HealthCheck[] {
  const { database, liveness, witness, witnessFile } = connection;
  const mustTakeWrites = async (): Promise<void> => {
    await mustBeWritable(database);
    if (liveness.writeRefused) await mustHaveSpace(database);
  };
  const look = async (): Promise<void> => {
    await keepSeen(connection);
    await checkHistory(connection, () => recorderOf(service.parts, host));
  };
  return [
    relationalDbCheck(liveness, mustTakeWrites),
    ...(durability === 'sync' || durability === 'async'
      ? [failingSoftly(replicationCheck(durability, () => readReplicationState(database)))]
      : []),
    failingSoftly(storeHistoryCheck(witness, look, () => witnessFile?.failure)),
  ];
}

async function startStatusReports(
  { connection, transport, service, definition }: HealthSources,
  host: string,
  board: Pick<HealthBoard, 'status' | 'results'>,
): Promise<{ stop(): Promise<void> }> {
  const startedAt = new Date().toISOString();
  return startHostStatusPublisher({
    transport,
    filter: service.transportFilter,
    host,
    store: await storeIdOf(connection.database),
    status: () => ({
      service: definition.name,
      version,
      startedAt,
      status: board.status,
      checks: board.results.map(({ name, status, detail }) => ({
        name,
        status,
        ...(detail === null ? {} : { detail }),
      })),
    }),
  });
}
