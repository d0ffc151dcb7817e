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
      for (const one of hosts) {
        const { starts } = one.host;
        await one.host.stopFor(0);
        await holdsWithin('a host is restarted', readyWithinMs, async () =>
          one.host.starts > starts ? isReady(one.url) : false,
        );
      }
      return;
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
    case 'kill a verb': {
      const verbs = verbsOf(service);
      const verb = verbs[Math.floor(draw * verbs.length)] ?? [];
      const running = startCli(verb, { DATABASE_URL: postgres.url });
      await Promise.race([running.ended, delay(shortestVerbMs + draw * moreVerbMs)]);
      await running.kill('SIGKILL');
      return;
    }
  }
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
