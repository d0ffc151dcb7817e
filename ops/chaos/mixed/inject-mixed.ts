import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../runtime/database/connect.js';
import type { NetworkProxy } from '../../../runtime/testing/network-proxy.js';
import type { NatsServer } from '../../../runtime/testing/nats-server.js';
import { startCli } from '../../testing/spawned-host.js';
import type { CrashablePostgres } from '../harness/crashable-postgres.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { isReady, type ScenarioHost } from '../scenarios/scenario-host.js';
import { holdsWithin } from '../scenarios/scenario.js';
import type { MixedFault } from './mixed-faults.js';

export interface MixedScene {
  readonly postgres: CrashablePostgres;
  readonly nats: NatsServer;
  readonly hosts: readonly ScenarioHost[];
  /** The way of each host to the database. */
  readonly ways: readonly NetworkProxy[];
  readonly names: readonly string[];
  /** The application of the hosts. */
  readonly service: string;
}

/** Longer than a lease. */
const frozenMs = 6_000;
const readyWithinMs = 60_000;
const slowMs = 300;
/** A verb has started by then, and may have ended. */
const shortestVerbMs = 300;
const moreVerbMs = 1_500;

/** What operators do while hosts run. */
const verbsOf = (service: string): readonly (readonly string[])[] => [
  ['perspectives', 'rebuild', 'accounts', '--mode', 'BlueGreen', '--app', service],
  ['segments', 'seal'],
  ['store', 'rotate-key'],
  ['flags', 'on', 'chaos'],
];

export async function injectMixed(
  { kind, host: index, draw }: MixedFault,
  { postgres, nats, hosts, ways, names, service }: MixedScene,
): Promise<void> {
  const { host } = hosts[index] ?? {};
  const way = ways[index];
  switch (kind) {
    case 'kill a host':
      return host?.kill();
    case 'freeze a host':
      return host?.freezeFor(frozenMs);
    case 'restart all hosts, one by one':
      return restartAll(hosts);
    case 'end all connections':
      return terminateBackends(postgres.url, names);
    case 'crash the database':
      return postgres.crash();
    case 'freeze the database':
      return freezeBackends(postgres.url, names);
    case 'cut a host from the database':
      await way?.cut();
      await delay(frozenMs);
      return way?.restore();
    case 'silence between a host and the database':
      way?.silence();
      await delay(frozenMs);
      return way?.resume();
    case 'a slow way to the database':
      way?.slow(slowMs);
      await delay(frozenMs);
      return way?.slow(0);
    case 'kill the broker':
      await nats.stop('SIGKILL');
      return nats.start();
    case 'freeze the broker':
      await nats.freeze();
      await delay(frozenMs);
      return nats.resume();
    case 'kill a verb':
      return killVerb(verbsOf(service), draw, postgres.url);
  }
}

async function restartAll(hosts: readonly ScenarioHost[]): Promise<void> {
  for (const { host, url } of hosts) {
    const { starts } = host;
    await host.stopFor(0);
    await holdsWithin('a host is restarted', readyWithinMs, async () =>
      host.starts > starts ? isReady(url) : false,
    );
  }
}

async function killVerb(verbs: readonly (readonly string[])[], draw: number, url: string): Promise<void> {
  const verb = verbs[Math.floor(draw * verbs.length)] ?? [];
  const running = startCli(verb, { DATABASE_URL: url });
  await Promise.race([running.ended, delay(shortestVerbMs + draw * moreVerbMs)]);
  await running.kill('SIGKILL');
}

/** Processes of the server that serve these hosts; the others continue. */
async function freezeBackends(url: string, hosts: readonly string[]): Promise<void> {
  const client = await connect(url);
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = ANY($1)',
    [hosts],
  );
  await client.end();
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid } of rows)
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
  };
  signal('SIGSTOP');
  await delay(frozenMs);
  signal('SIGCONT');
}
