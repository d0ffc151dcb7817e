import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type NatsCluster, withNatsCluster } from '../testing/nats-cluster.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { aType, Inbox, positionsOf } from '../kit/transport-contract.js';
import { until } from '../kit/until.js';
import { faultsOf, publishAll, managing, leaderOf } from '../testing/cluster-streams.js';

const test = suite('nats cluster');

test('streams of a cluster are on three servers; the loss of their leader loses no message and stalls them for 15 s at most', () =>
  withNatsCluster((cluster) =>
    withNatsTransport(cluster.url, async (transport) => {
      await until(() => isReachable(transport));
      // A stream that is made while a server seems to be away has one replica, and gets the others later.
      await until(async () => (await replicasOf(cluster)).join() === '3,3');
      await until(() => transport.faults?.length === 0);
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

const replicasOf = (cluster: NatsCluster): Promise<readonly number[]> =>
  managing(cluster, async ({ streams }) => {
    const infos = await Promise.all(['SVC_EVENTS', 'SVC_SYSTEM'].map((name) => streams.info(name)));
    return infos.map(({ config }) => config.num_replicas);
  });
