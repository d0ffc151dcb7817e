import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../runtime/database/connect.js';
import { strategies } from '../../deploy/steps.js';
import { startCli, svc } from '../../testing/spawned-host.js';
import { terminateBackends } from '../harness/terminate-backends.js';
import { isReady, type ScenarioHost } from '../scenarios/scenario-host.js';
import { holdsWithin } from '../scenarios/scenario.js';
import type { DeployedHosts } from './deployed-hosts.js';
import { fillDisk } from './fill-disk.js';
import type { MixedFault, MixedFaultKind } from './mixed-faults.js';
import { type MixedHost, type MixedScene, service } from './mixed-scene.js';
import { promoteStandby } from './promote-standby.js';
import { setClock } from './set-clock.js';

/** Longer than a lease. */
const frozenMs = 6_000;
const readyWithinMs = 60_000;
const republishedWithinMs = 120_000;
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

/** What a fault happens to. */
interface Target extends MixedScene {
  readonly host: MixedHost;
  readonly draw: number;
}

/** Resolves when the fault is over; with what was found instead, if it has not shown itself. */
type Inject = (target: Target) => Promise<string | undefined | void>;

const unlessSeen = async (seen: Promise<boolean>): Promise<string | undefined> =>
  (await seen) ? undefined : 'not seen';

const whileDisturbed = async (
  begin: Promise<void> | void,
  end: () => Promise<void> | void,
): Promise<void> => {
  await begin;
  await delay(frozenMs);
  await end();
};

const injections: Readonly<Record<MixedFaultKind, Inject>> = {
  'kill a host': ({ host }) => host.host.kill(),
  'freeze a host': ({ host }) => host.host.freezeFor(frozenMs),
  'set the clock of a host': ({ host, draw }) => unlessSeen(setClock(host.url, host.clock, draw)),
  'restart all hosts, one by one': ({ hosts, deployed }) => unlessSeen(restartAll(hosts, deployed)),
  'deploy a revision': ({ deployed, draw }) =>
    deployed.deploy(strategies[Math.floor(draw * strategies.length)] ?? 'rolling'),
  'end all connections': ({ pair, hosts }) => terminateBackends(pair.url, namesOf(hosts)),
  'crash the database': ({ pair }) => pair.crash(),
  'freeze the database': ({ pair, hosts }) => freezeBackends(pair.url, namesOf(hosts)),
  'fill the disk of the database': ({ pair, disk }) => unlessSeen(fillDisk(pair, disk())),
  'promote the standby': ({ pair, front, hosts }) =>
    unlessSeen(promoteStandby(pair, [front, ...hosts.map(({ way }) => way)])),
  'cut a host from the database': ({ host: { way } }) => whileDisturbed(way.cut(), () => way.restore()),
  'silence between a host and the database': ({ host: { way } }) =>
    whileDisturbed(way.silence(), () => way.resume()),
  'a slow way to the database': ({ host: { way } }) => whileDisturbed(way.slow(slowMs), () => way.slow(0)),
  'kill the broker': async ({ nats }) => {
    await nats.stop('SIGKILL');
    await nats.start();
  },
  'freeze the broker': ({ nats }) => whileDisturbed(nats.freeze(), () => nats.resume()),
  'empty the broker': async ({ nats, front }) => {
    await nats.stop('SIGKILL');
    nats.forget();
    await nats.start();
    return republish(front.url);
  },
  'kill a verb': ({ front, draw }) => killVerb(draw, front.url),
};

/** Performs the fault and describes what happened. */
export async function injectMixed(fault: MixedFault, scene: MixedScene): Promise<string> {
  const { kind, host: index, draw } = fault;
  const host = scene.hosts[index];
  if (host === undefined) return `${kind} (no such host)`;
  const failure = await injections[kind]({ ...scene, host, draw });
  return failure === undefined ? kind : `${kind} (${failure})`;
}

const namesOf = (hosts: readonly MixedHost[]): readonly string[] => hosts.map(({ name }) => name);

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

/** As an operator does whose broker came back without its messages, and who tries again on a busy machine. */
async function republish(url: string): Promise<string | undefined> {
  const verb = ['outbox', 'republish', '--from', '1'];
  let failure = '';
  const { kept } = await holdsWithin('messages are published again', republishedWithinMs, async () => {
    const { code, stderr } = await svc(verb, { DATABASE_URL: url });
    failure = stderr;
    return code === 0;
  });
  return kept ? undefined : failure;
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
