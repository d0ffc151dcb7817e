import { type DispatcherPorts, LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { dispatcherPorts } from '../../actors/commands/create-dispatcher.js';
import type { ChildStatus } from '../../actors/supervisor/child.js';
import type { Supervisor } from '../../actors/supervisor/supervisor.js';
import type { Identity } from '../../contracts/identity.js';
import type { Transport } from '../../contracts/transport.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { monitorLinks } from '../../endpoints/processes/monitor-links.js';
import type { Database } from '../../runtime/database/database.js';
import { Notifications } from '../../runtime/database/notifications.js';
import { log } from '../../runtime/logging/log.js';
import { mostWeight, weightOfTenants } from '../../runtime/lang/tenant-weights.js';
import type { Metrics } from '../../runtime/metrics/metrics.js';
import { keepSegments } from '../../runtime/segments/keep-segments.js';
import { StoredRights } from '../../runtime/access/stored-rights.js';
import { recorderOf } from '../../runtime/service/change-recorder.js';
import type { Service } from '../../runtime/service/service.js';
import { fitBroker } from '../../runtime/transport/fit-broker.js';
import { keepInside } from '../../runtime/transport/keep-inside.js';
import { startWitness } from '../../runtime/store/check-history.js';
import { PostgresIdempotencyGate } from '../../runtime/store/postgres-idempotency-gate.js';
import { readReservationSecret, reservationKey } from '../../runtime/reservations/reservation-key.js';
import { openPostgresStore, type PostgresStore } from '../../runtime/store/postgres-event-store.js';
import { leasesOf } from '../../runtime/service/leases-of.js';
import type { Config } from '../config/config.js';
import { consoleOf } from '../console/console.js';
import { stopApplication } from '../service/stop-application.js';
import { startAccess, withAuthenticator } from './access.js';
import { connectDatabase, type HostDatabase, seenBefore, storeIdOf } from './database.js';
import { startFlags } from './flags.js';
import { mustBeReady } from './refuse-undeclared-permissions.js';
import { startMessaging } from './messaging.js';
import { findsEffects } from '../../runtime/effects/known-effect.js';
import { shareDeciderStates, withDeciders } from './deciders.js';
import { startHostHealth } from './health.js';
import { supervisedHttpServer } from './supervised-http-server.js';
import { startInspection } from './inspection.js';
import { startWebhooks } from './webhooks.js';
import { createService } from './create-service.js';
import { registerMessages } from './register-messages.js';
import { systemEventRecorder } from './record-system-events.js';
import { undoStart, interruptibleSupervisor } from './interruptible-start.js';
import { perspectiveRoutes } from './perspective-routes.js';
import { StartupMigration } from './startup-migration.js';
import { migrationItemsOf } from './migration-items.js';
import { supervisedMigrationReplays } from './supervised-migration-replays.js';
import { measureHost } from './metrics.js';
import { probesOf } from './probes.js';
import { modelsForReceptors, waitUntilCaughtUp } from './perspectives.js';
import type { LaunchOptions } from './launch-options.js';
import { startRunners } from './runners.js';
import { nameRevisionOf, serverOf, versionOf } from './service-server.js';

/** A running host. */
export interface Host {
  readonly url: string;
  readonly service: Service;
  readonly registry: Registry;
  readonly inspection: Inspection;
  readonly metrics: Metrics;
  /** All its children, in start order. */
  readonly tree: readonly ChildStatus[];
  /** Resolves when everything has stopped, with the failure that caused it, if any. */
  readonly ended: Promise<unknown>;
  /** Fails the readiness probe and keeps serving, so that load balancers can move traffic away. */
  announceStop(): void;
  /** Answers requests in flight, then stops everything in reverse start order. */
  stop(): Promise<void>;
}

/** Connects, starts all parts and listens; when a step fails, undoes the steps before it. */
export async function startHost(
  definition: ServiceDefinition,
  given: Config,
  givenTransport?: Transport,
  extra: LaunchOptions = {},
): Promise<Host> {
  const config = withAuthenticator(given, definition);
  const supervisor = interruptibleSupervisor(extra.signal);
  try {
    const dispatcher = new LocalDispatcher();
    const registry = withDeciders(definition.create(dispatcher));
    const opened = await openService(definition, registry, config, supervisor, extra);
    const { connection, database, store, service, batch, port, work } = opened;
    const gate = await supervisor.keep('gate', () => createIdempotencyGate(database), close);
    const host = sharedParts(opened, definition, registry, config, extra);
    const access = await startAccess({ ...host, supervisor }, config);
    const { accessGuard, callerOf, pages } = access;
    const flags = await startFlags({ ...host, supervisor });
    const states = shareDeciderStates(registry, store, database, config);
    const webhooks = await startWebhooks({ ...host, ...work, ...access, supervisor, states }, store, config);
    const { inspection, observer, ...inspected } = startInspection(host, config, pages, extra.frameSource);
    const bound = { ...host.dispatching, flags, observer, webhooks };
    const ports = { store, deadlineMs: config.deadlineMs, guard: extra.guard, accessGuard, ...bound };
    registry.approvals?.serve({ ...ports, rightsOf: presentRights(database) });
    await startDispatching(supervisor, dispatcher, dispatcherPorts(service, { ...ports, ...work }), registry);
    registerMessages(registry, service, bound);
    for (const child of extra.children?.(database) ?? []) await supervisor.start(child);
    const messaging = await startMessaging(host, config, supervisor, givenTransport);
    const runners = await startRunners({ ...host, ...ports, supervisor, dispatcher, inspection }, config);
    await supervisor.start(supervisedMigrationReplays(connection, service, batch));
    const sources = { ...host, connection, ...messaging, ...runners, ...ports };
    const health = await supervisor.keep('health', () => startHostHealth(sources, config), stop);
    const parts = { ...sources, dispatcher, states, inspection, supervisor, health, board: health.board };
    const { metrics, times, route } = measureHost(parts, pages);
    const hostConsole = consoleOf(parts, config, pages, extra.consoleSource);
    const routes = [probesOf(parts, config.name, pages), route, ...inspected.routes, ...hostConsole.routes];
    const routePorts = { gate, ...ports, dispatcher, callerOf, ...answersOf(service, registry) };
    const live = perspectiveRoutes(host, access, config);
    const serving = { access: pages, times, routes, idleGraceMs: extra.idleGraceMs, ...live.routes };
    const options = { ...config, ...access, ...inspected.http, ...serving };
    const create = () => runners.yieldTo(serverOf(definition, registry, routePorts, options));
    const { url } = await supervisor.start(supervisedHttpServer({ ...config, startedAt: port }, create));
    const shown = { url, service, registry, inspection, metrics, announceStop: () => parts.board.drain() };
    await stopFirst(supervisor, { inspected, hostConsole, live, ...shown, ...connection });
    return toHost(supervisor, shown);
  } catch (error) {
    await undoStart(supervisor);
    throw error;
  }
}

/** What answers say about what follows their commands. */
const answersOf = (service: Service, { processes }: Registry) => ({
  caughtUp: waitUntilCaughtUp(service),
  monitors: monitorLinks(processes),
});

/** What a caller may do when an approved command of theirs runs. */
const presentRights = (database: Database): ((said: Identity) => Promise<Identity | undefined>) => {
  const rights = new StoredRights(database);
  return (said) => rights.of(said);
};

/** What nearly every part of a host is given. */
const sharedParts = (
  { database, service, connection }: Awaited<ReturnType<typeof openService>>,
  definition: ServiceDefinition,
  registry: Registry,
  { name, broadcast, tenantWeights }: Config,
  { onStatus }: LaunchOptions,
) => {
  const report = systemEventRecorder(service);
  const notifications = new Notifications(database);
  const version = versionOf(definition);
  const { owner, witness } = connection;
  return {
    database,
    service,
    definition,
    registry,
    onStatus,
    notifications,
    version,
    leases: leasesOf(service.parts, database, { host: name, version, broadcast, notifications }, owner),
    report,
    dispatching: {
      report,
      weightOf: weightOfTenants(tenantWeights, definition.weightOf, warnOfWeight),
      effectOf: findsEffects(registry.effects ?? []),
    },
    witness,
  };
};

/** Opens the store, creates the service on it and migrates what both need. */
async function openService(
  definition: ServiceDefinition,
  registry: Registry,
  config: Config,
  supervisor: Supervisor,
  { embedded, onMigrating }: LaunchOptions,
) {
  await mustBeReady(definition, config, registry);
  nameRevisionOf(definition);
  // A level that was not given is that of the process.
  if (config.logLevel !== 'info') log.level = config.logLevel;
  const connection = await connectDatabase(config, supervisor, embedded);
  if (definition.stop !== undefined) await supervisor.keep('application', () => definition, stopApplication);
  const { database } = connection;
  const opened: { service?: Service } = {};
  const store = await openStore(
    supervisor,
    connection,
    config,
    definition,
    () => opened.service && keepInside(opened.service.transportFilter, registry.approvals?.events ?? []),
  );
  const authenticates = definition.authenticate !== undefined || config.auth.length > 0;
  const items = await migrationItemsOf(definition, registry);
  const migration = new StartupMigration(connection, items, config, authenticates);
  const create = () => createService(store, () => migration.migrated, definition, config);
  const service = (opened.service = await supervisor.keep('service', create, stop));
  const models = modelsForReceptors(registry, database);
  await startWitness(connection, () => seenBefore(connection));
  const migrated = await migration.run(service, onMigrating);
  await startWitness(connection, () => seenBefore(connection));
  const recorder = () => recorderOf(service.parts, config.name);
  await supervisor.start({ name: 'segments', start: () => keepSegments(database, recorder) });
  const keyOf = reservationKey(await readReservationSecret(database));
  const work = { models, reservationKey: keyOf };
  return { connection, database, store, service, work, ...migrated };
}

/** The last to start is the first to stop: readiness, then the streams, because the server waits for connections. */
async function stopFirst(supervisor: Supervisor, stopped: StoppedFirst): Promise<void> {
  const { inspected, hostConsole, live } = stopped;
  await supervisor.keep('inspector', () => inspected, stop);
  await supervisor.keep('console', () => hostConsole, close);
  await supervisor.keep('live', () => live, close);
  await supervisor.keep('readiness', () => stopped, beginStop);
}

function beginStop({ announceStop, limitStop }: StoppedFirst): void {
  announceStop();
  limitStop();
}

interface StoppedFirst {
  readonly inspected: { stop(): unknown };
  readonly hostConsole: { close(): unknown };
  readonly live: { close(): unknown };
  readonly announceStop: () => void;
  readonly limitStop: () => void;
}

const toHost = (
  supervisor: Supervisor,
  parts: Pick<Host, 'url' | 'service' | 'registry' | 'inspection' | 'metrics' | 'announceStop'>,
): Host => ({
  ...parts,
  get tree() {
    return supervisor.tree;
  },
  ended: supervisor.ended,
  stop: () => supervisor.stop(),
});

const openStore = (
  supervisor: Supervisor,
  { database, witness }: HostDatabase,
  { name: host, natsUrl, messageFormat, tenantWeights }: Config,
  { weightOf }: ServiceDefinition,
  filterOf: () => TransportPublishFilter | undefined,
): Promise<PostgresStore> => {
  const mustFit = natsUrl === undefined ? undefined : fitBroker(messageFormat, filterOf);
  const limits = { weightOf: weightOfTenants(tenantWeights, weightOf, warnOfWeight) };
  const open = () => openPostgresStore(database, { host, witness, mustFit, limits });
  return supervisor.keep('store', open, close, ({ depth }) => depth);
};

async function startDispatching(
  supervisor: Supervisor,
  dispatcher: LocalDispatcher,
  ports: DispatcherPorts,
  { receptors, endpoints }: Registry,
): Promise<void> {
  await supervisor.keep(
    'dispatcher',
    () => dispatcher,
    stop,
    ({ loads }) => loads.reduce((sum, { waiting }) => sum + waiting, 0),
  );
  dispatcher.start(ports, receptors);
  dispatcher.mustHandle(endpoints.map(({ command }) => command));
}

const warnOfWeight = (fault: object): void =>
  log.warn(fault, `weightOf must return a whole number from 1 to ${mostWeight}; 1 is taken`);

const createIdempotencyGate = async (database: Database): Promise<PostgresIdempotencyGate> =>
  new PostgresIdempotencyGate(database, await storeIdOf(database));

const close = (opened: { close(): unknown }): unknown => opened.close();
const stop = (started: { stop(): unknown }): unknown => started.stop();
