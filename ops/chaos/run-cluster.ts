import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../runtime/database/connect.js';
import { freePort } from '../../runtime/database/embedded/operating-system.js';
import { type NatsServer, withNatsServer } from '../../runtime/testing/nats-server.js';
import { type BroadcastFindings, checkBroadcast, type HeldRecord } from './harness/broadcast-check.js';
import { checkConsistency, type Findings } from './harness/consistency-check.js';
import { RetryingClients } from './harness/retrying-clients.js';
import {
  broadcastBy,
  chainsHold,
  deadLettersIn,
  eventsIn,
  inStore,
  receivedBy,
} from './harness/cluster-queries.js';
import { type ClusterFault, clusterFaultPlan, type ClusterSize } from './cluster-fault-plan.js';
import { readStoredState } from './harness/stored-state.js';
import { exchangingOrders, KillableHost } from './harness/killable-host.js';
import { startCrashablePostgres } from './harness/crashable-postgres.js';

interface ClusterOptions extends Partial<Omit<ClusterSize, 'commands'>> {
  readonly seed: number;
  readonly commands?: number | undefined;
  readonly printProgress: (line: string) => void;
}

interface ClusterReport extends Findings, BroadcastFindings {
  readonly seed: number;
  readonly commands: number;
  readonly acknowledged: number;
  readonly attempts: number;
  readonly faults: number;
  readonly byKind: Readonly<Record<string, number>>;
  /** The numbers of records that the hosts broadcast and that the monitor has. */
  readonly broadcast: number;
  readonly received: number;
  /** Domain events of one host that the other does not have in stream order. */
  readonly notExchanged: number;
  /** Messages that a host or the monitor could not store. */
  readonly dead: number;
  readonly chainsHold: boolean;
  readonly seconds: number;
  readonly ok: boolean;
}

interface Cluster {
  readonly nats: NatsServer;
  readonly hosts: readonly KillableHost[];
  readonly monitor: KillableHost;
  /** For each host's store, then the monitor's. */
  readonly stores: readonly string[];
  readonly clients: readonly RetryingClients[];
}

const names = ['north', 'south'];
const clientsPerHost = 8;
const settleMs = 120_000;

/**
 * Two hosts with a store each, a monitor and a broker as processes, with clients that retry and faults in the order of
 * the seed.
 */
export async function runCluster(options: ClusterOptions): Promise<ClusterReport> {
  const started = performance.now();
  const { commands = 10_000, natsKills = 5, hostKills = 5, monitorStops = 1, seed } = options;
  const size = { commands, natsKills, hostKills, monitorStops };
  const postgres = await startCrashablePostgres();
  let report: ClusterReport | undefined;
  try {
    const stores = await Promise.all([...names, 'monitor'].map((name) => createStore(postgres.url, name)));
    await withNatsServer(async (nats) => {
      await withCluster(nats, stores, seed, async (cluster) => {
        const byKind = await injectFaults(options, size, cluster);
        report = await reportOn(seed, cluster, byKind, started);
      });
    });
  } finally {
    await postgres.stop();
  }
  return report as unknown as ClusterReport;
}

async function createStore(server: string, name: string): Promise<string> {
  const client = await connect(server);
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function withCluster(
  nats: NatsServer,
  stores: readonly string[],
  seed: number,
  body: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const ports = await Promise.all([...names, 'monitor'].map(() => freePort()));
  const envOf = (name: string, index: number) => ({
    DATABASE_URL: stores[index] ?? '',
    NATS_URL: nats.url,
    SVC_BROADCAST: '1',
    SVC_PORT: String(ports[index]),
    SVC_NAME: name,
    SVC_LOG: 'error',
  });
  const hosts = names.map((name, index) => new KillableHost(envOf(name, index), exchangingOrders));
  // Its output would only fill the memory.
  const monitor = new KillableHost(envOf('monitor', 2), ['monitor', '--type', 'MessageDeadLettered']);
  for (const host of [...hosts, monitor]) host.start();
  const clients = hosts.map(
    (_, index) => new RetryingClients(`http://127.0.0.1:${ports[index]}`, seed * 2 + index, clientsPerHost),
  );
  try {
    await body({ nats, hosts, monitor, stores, clients });
  } finally {
    await Promise.all(clients.map((all) => all.stop()));
    await Promise.all([...hosts, monitor].map((host) => host.stop()));
  }
}

const acknowledgedBy = (clients: readonly RetryingClients[]): number =>
  clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);

async function injectFaults(
  { seed, printProgress }: ClusterOptions,
  size: ClusterSize,
  cluster: Cluster,
): Promise<Record<string, number>> {
  const byKind: Record<string, number> = {};
  const reached = async (goal: number) => {
    while (acknowledgedBy(cluster.clients) < goal) await delay(20);
  };
  for (const { at, fault } of clusterFaultPlan(seed, size)) {
    await reached(at);
    await inject(fault, cluster);
    byKind[fault.kind] = (byKind[fault.kind] ?? 0) + 1;
    printProgress(`${fault.kind} after ${acknowledgedBy(cluster.clients)} acknowledged commands`);
  }
  await reached(size.commands);
  await Promise.all(cluster.clients.map((all) => all.stop()));
  printProgress(`${acknowledgedBy(cluster.clients)} commands are acknowledged; the monitor catches up`);
  return byKind;
}

async function inject(fault: ClusterFault, { nats, hosts, monitor }: Cluster): Promise<void> {
  switch (fault.kind) {
    case 'kill-nats':
      await nats.stop('SIGKILL');
      await delay(fault.awayMs);
      return nats.start();
    case 'kill-host':
      return hosts[fault.host]?.kill();
    case 'stop-monitor':
      return monitor.stopFor(fault.awayMs);
  }
}

interface Settled {
  readonly sent: readonly HeldRecord[];
  readonly received: readonly HeldRecord[];
  readonly notExchanged: number;
}

/** Waits until all have received what was sent, or the time is up. */
async function settled(north: string, south: string, store: string): Promise<Settled> {
  for (const end = performance.now() + settleMs; ; await delay(500)) {
    const sent = (await Promise.all([north, south].map((url) => inStore(url, broadcastBy)))).flat();
    const received = await inStore(store, receivedBy);
    const notExchanged = (await notHeldBy(north, south)) + (await notHeldBy(south, north));
    const isAll = received.length >= sent.length && notExchanged === 0;
    if (isAll || performance.now() > end) return { sent, received, notExchanged };
  }
}

async function notHeldBy(from: string, by: string): Promise<number> {
  const sent = await inStore(from, (database) => eventsIn(database, 'own'));
  const held = await inStore(by, (database) => eventsIn(database, 'others'));
  return Math.abs(held.length - sent.length) + sent.filter((id, index) => held[index] !== id).length;
}

/** Compares the answers of clients with what is stored and received. */
async function reportOn(
  seed: number,
  { clients, stores }: Cluster,
  byKind: Readonly<Record<string, number>>,
  started: number,
): Promise<ClusterReport> {
  const [north = '', south = '', store = ''] = stores;
  const { sent, received, notExchanged } = await settled(north, south, store);
  const storedBy = async (url: string, index: number) =>
    inStore(url, (database) => readStoredState(database, names[index]));
  const stored = await Promise.all([north, south].map(storedBy));
  const findings = sumFindings(
    clients.map((client, index) => checkConsistency(client.sent, stored[index] ?? nothingStored)),
  );
  const broadcast = checkBroadcast(sent, received);
  const dead = (await Promise.all(stores.map((url) => inStore(url, deadLettersIn)))).reduce(sum);
  const origins = new Set(sent.map((record) => record.store));
  const holds = await inStore(store, (database) => chainsHold(database, origins));
  const faultless = [...Object.values(findings), ...Object.values(broadcast), notExchanged, dead];
  const isClean = faultless.every((count) => count === 0);
  const commands = clients.map((client) => client.sent.length).reduce(sum);
  return {
    seed,
    commands,
    faults: Object.values(byKind).reduce(sum, 0),
    ...findings,
    doubled: findings.doubled + broadcast.receivedTwice,
    missing: findings.missing + broadcast.notReceived,
    ...broadcast,
    notExchanged,
    broadcast: sent.length,
    received: received.length,
    acknowledged: acknowledgedBy(clients),
    attempts: clients.map(({ attempts }) => attempts).reduce(sum),
    byKind,
    dead,
    chainsHold: holds,
    seconds: Math.round((performance.now() - started) / 1000),
    ok: isClean && holds && sent.length > 0,
  };
}

const nothingStored = { events: [], commandAudits: [], orphans: 0 };
const sum = (a: number, b: number): number => a + b;

const sumFindings = (all: readonly Findings[]): Findings => ({
  lost: all.map(({ lost }) => lost).reduce(sum),
  doubled: all.map(({ doubled }) => doubled).reduce(sum),
  unaudited: all.map(({ unaudited }) => unaudited).reduce(sum),
  missing: all.map(({ missing }) => missing).reduce(sum),
  phantom: all.map(({ phantom }) => phantom).reduce(sum),
});
