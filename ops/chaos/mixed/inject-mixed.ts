import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../runtime/database/connect.js';
import type { NetworkProxy } from '../../../runtime/testing/network-proxy.js';
import { strategies } from '../../deploy/steps.js';
import { startCli, svc } from '../../testing/spawned-host.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { isReady, type ScenarioHost } from '../scenarios/scenario-host.js';
import { holdsWithin } from '../scenarios/scenario.js';
import type { DeployedHosts } from './deployed-hosts.js';
import { fillDisk } from './fill-disk.js';
import type { MixedFault } from './mixed-faults.js';
import { type MixedScene, service } from './mixed-scene.js';
import { promoteStandby } from './promote-standby.js';
import { setClock } from './set-clock.js';

/** Longer than a lease. */
const frozenMs = 6_000;
const readyWithinMs = 60_000;
const slowMs = 300;
/** A verb has started by then, and may have ended. */
const shortestVerbMs = 300;
const moreVerbMs = 1_500;

/** What operators do while hosts run. */
const verbs: readonly (readonly string[])[] = [
  ['perspectives', 'rebuild', 'accounts', '--mode', 'BlueGreen', '--app', service],
  ['segments', 'seal'],
  ['store', 'rotate-key'],
  ['flags', 'on', 'chaos'],
];

/** Performs the fault and describes what happened. */
export async function injectMixed(fault: MixedFault, scene: MixedScene): Promise<string> {
  const failure = await inject(fault, scene);
  return failure === undefined ? fault.kind : `${fault.kind} (${failure})`;
}

/** What was found instead, where a fault shows itself. */
async function inject(
  { kind, host: index, draw }: MixedFault,
  { pair, disk, nats, hosts, deployed, front }: MixedScene,
): Promise<string | undefined | void> {
  const chosen = hosts[index];
  if (chosen === undefined) return 'no such host';
  const { host, url, clock, way } = chosen;
  const names = hosts.map(({ name }) => name);
  switch (kind) {
    case 'kill a host':
      return host.kill();
    case 'freeze a host':
      return host.freezeFor(frozenMs);
    case 'set the clock of a host':
      return unlessSeen(setClock(url, clock, draw));
    case 'restart all hosts, one by one':
      return unlessSeen(restartAll(hosts, deployed));
    case 'deploy a revision':
      return deployed.deploy(strategies[Math.floor(draw * strategies.length)] ?? 'rolling');
    case 'end all connections':
      return terminateBackends(pair.url, names);
    case 'crash the database':
      return pair.crash();
    case 'freeze the database':
      return freezeBackends(pair.url, names);
    case 'fill the disk of the database':
      return unlessSeen(fillDisk(pair, disk()));
    case 'promote the standby':
      return unlessSeen(promoteStandby(pair, [front, ...hosts.map((each) => each.way)]));
    case 'kill a verb':
      return killVerb(draw, front.url);
    case 'kill the broker':
      await nats.stop('SIGKILL');
      return nats.start();
    case 'empty the broker':
      await nats.stop('SIGKILL');
      nats.forget();
      await nats.start();
      return republish(front.url);
    case 'freeze the broker':
      await nats.freeze();
      await delay(frozenMs);
      return nats.resume();
    default: {
      const [begin, end] = disturbances[kind];
      await begin(way);
      await delay(frozenMs);
      return end(way);
    }
  }
}

const unlessSeen = async (seen: Promise<boolean>): Promise<string | undefined> =>
  (await seen) ? undefined : 'not seen';

type Act = (way: NetworkProxy) => Promise<void> | void;

/** What happens to the connections of one host, and how that ends. */
const disturbances = {
  'cut a host from the database': [(way) => way.cut(), (way) => way.restore()],
  'silence between a host and the database': [(way) => way.silence(), (way) => way.resume()],
  'a slow way to the database': [(way) => way.slow(slowMs), (way) => way.slow(0)],
} satisfies Readonly<Record<string, readonly [begin: Act, end: Act]>>;

async function restartAll(hosts: readonly ScenarioHost[], deployed: DeployedHosts): Promise<boolean> {
  for (const { host, url } of hosts) {
    const { starts } = host;
    await host.stopFor(0);
    await holdsWithin('a host is restarted', readyWithinMs, async () =>
      host.starts > starts ? isReady(url) : false,
    );
  }
  return deployed.restart();
}

/** As an operator does who was told that the broker came back without its messages. */
async function republish(url: string): Promise<string | undefined> {
  const { code, stderr } = await svc(['outbox', 'republish', '--from', '1'], { DATABASE_URL: url });
  return code === 0 ? undefined : stderr;
}

async function killVerb(draw: number, url: string): Promise<void> {
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
