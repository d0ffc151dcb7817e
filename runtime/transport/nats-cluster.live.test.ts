import { connect, type JetStreamManager } from 'nats';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { DestinationUnreachable, type Transport } from '../../contracts/transport.js';
import { type NatsCluster, withNatsCluster } from '../testing/nats-cluster.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { aMessage, aType, failureOf, Inbox, positionsOf } from '../testing/transport-contract.js';
import { durationOf, until } from '../testing/until.js';

const test = suite('nats cluster');

test('streams of a cluster are on three servers; the loss of their leader loses no message and stalls them for 15 s at most', () =>
  withNatsCluster((cluster) =>
    withNatsTransport(cluster.url, async (transport) => {
      await until(() => isReachable(transport));
      assert.equal(await replicasOf(cluster), { SVC_EVENTS: 3, SVC_SYSTEM: 3 });
      assert.equal(transport.faults, []);
      const type = aType();
      const inbox = new Inbox([`svc.events.${type}`]);
      transport.subscribe(inbox);
      const published = publishAll(transport, type, 300);
      await inbox.holds(100);
      const leader = await leaderOf(cluster, 'SVC_EVENTS');
      await cluster.servers.get(leader)?.stop('SIGKILL');
      assert.ok((await published) <= 15_000, `messages stood still for ${Math.round(await published)} ms`);
      const arrived = () => [...new Set(positionsOf(inbox.arrived))].toSorted((a, b) => a - b);
      await until(() => arrived().length === 300);
      assert.equal(
        arrived(),
        Array.from({ length: 300 }, (_, n) => n + 1),
      );
      await until(() => faultsOf(transport).includes(`misses ${leader}`));
      await cluster.servers.get(leader)?.start();
      await until(() => transport.faults?.length === 0);
    }),
  ));

test('a stream whose only server is away is reported, and does not keep the other from working', () =>
  withNatsCluster(async (cluster) => {
    await managing(cluster, ({ streams }) =>
      streams.add({
        name: 'SVC_SYSTEM',
        subjects: ['svc.system.>', 'svc.core.auditevents'],
        num_replicas: 1,
      }),
    );
    await withNatsTransport(cluster.url, async (transport) => {
      await until(() => isReachable(transport));
      assert.match(
        faultsOf(transport),
        /^The stream SVC_SYSTEM is on 1 server of the cluster, not 3: run nats/,
      );
      const holder = await leaderOf(cluster, 'SVC_SYSTEM');
      await cluster.servers.get(holder)?.stop('SIGKILL');
      const system = { ...aMessage(), destination: 'svc.system.Tested' };
      await until(async () => (await failureOf(transport.publish(system))) instanceof DestinationUnreachable);
      assert.match(faultsOf(transport), 'The stream SVC_SYSTEM cannot be used.');
      const type = aType();
      const inbox = new Inbox([`svc.events.${type}`]);
      transport.subscribe(inbox);
      await publishAll(transport, type, 3);
      await inbox.holds(3);
      await cluster.servers.get(holder)?.start();
      await until(async () => (await failureOf(transport.publish(system))) === undefined);
    });
  }));

const faultsOf = ({ faults = [] }: Transport): string => faults.join(' ');

/** Like the relay: in order, with retries. Returns the longest time that one took, in milliseconds. */
async function publishAll(transport: Transport, type: string, count: number): Promise<number> {
  let longest = 0;
  for (let n = 1; n <= count; n++) {
    const isPublished = async () => (await failureOf(transport.publish(aMessage(type, n)))) === undefined;
    longest = Math.max(longest, await durationOf(until(isPublished)));
  }
  return longest;
}

/** Retried: a cluster that has just started has no leader for a moment. */
async function managing<T>(
  { url }: NatsCluster,
  body: (manager: JetStreamManager) => Promise<T>,
): Promise<T> {
  let result: { readonly value: T } | undefined;
  await until(async () => {
    const connection = await connect({ servers: url.replace('nats://', '').split(',') }).catch(
      () => undefined,
    );
    result = await connection
      ?.jetstreamManager()
      .then(async (manager) => ({ value: await body(manager) }))
      .catch(() => undefined);
    await connection?.close();
    return result !== undefined;
  });
  return (result as unknown as { readonly value: T }).value;
}

const leaderOf = (cluster: NatsCluster, stream: string): Promise<string> =>
  managing(cluster, async ({ streams }) => {
    const { cluster: placed } = await streams.info(stream);
    assert.ok(placed?.leader);
    return placed.leader;
  });

const replicasOf = (cluster: NatsCluster): Promise<Record<string, number>> =>
  managing(cluster, async ({ streams }) => {
    const infos = await Promise.all(['SVC_EVENTS', 'SVC_SYSTEM'].map((name) => streams.info(name)));
    return Object.fromEntries(infos.map(({ config }) => [config.name, config.num_replicas]));
  });
