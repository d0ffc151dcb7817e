import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { DestinationUnreachable } from '../../contracts/transport.js';
import { withNatsCluster } from '../testing/nats-cluster.js';
import { isReachable, withNatsTransport } from '../testing/reachable.js';
import { aMessage, aType, failureOf, Inbox } from '../kit/transport-contract.js';
import { until } from '../kit/until.js';
import { faultsOf, publishAll, managing, leaderOf } from '../testing/cluster-streams.js';

const test = suite('nats cluster');

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
