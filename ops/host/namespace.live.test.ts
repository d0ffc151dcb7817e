import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { jsonOf, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withOperator } from '../../runtime/testing/nats-connections.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { followingService } from '../testing/following-service.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { type Host, startHost } from './host.js';
import { startAt } from '../testing/namespace-hosts.js';

const test = suite('namespaces at the broker');

const broker = sharedIn<string>(test, withEmptyNats);

interface Started {
  readonly host: Host;
  readonly store: string;
}

const withHost = (
  definition: ServiceDefinition,
  nats: string,
  namespace: string,
  body: (started: Started) => Promise<void>,
): Promise<void> =>
  withStore(async (store) => {
    const host = await startAt(definition, store, nats, namespace);
    try {
      await body({ host, store });
    } finally {
      await host.stop();
    }
  });

const order = ({ host }: Started): Promise<number> =>
  until(async () => (await createOrder(host.url)).status === 200);

const received = 'SELECT event_id FROM svc_events WHERE origin <> 0';

test('stores exchange events within a namespace, under its names; everywhere else destinations begin with svc', () =>
  broker((nats) =>
    withHost(ordersAlone, nats, 'staging-2', (near) =>
      withHost(followingService, nats, 'staging-2', (beside) =>
        withHost(followingService, nats, 'svc', async (apart) => {
          await order(near);
          await until(async () => (await rowsOf(beside.store, received)).length === 1);
          await withOperator(nats, async (operator) => {
            const manager = await operator.jetstreamManager();
            const found = await manager.streams.getMessage('STAGING-2_EVENTS', {
              last_by_subj: 'staging-2.events.OrderCreated',
            });
            assert.is(found.header.get('svc-service'), ordersAlone.name);
            // A host that listens may still be about to create its streams.
            const isThere = () =>
              manager.streams.info('SVC_EVENTS').then(
                () => true,
                () => false,
              );
            await until(isThere);
            const { state } = await manager.streams.info('SVC_EVENTS');
            assert.is(state.messages, 0, 'nothing was sent to another namespace');
            const [consumer] = await manager.consumers.list('STAGING-2_EVENTS').next();
            assert.match(consumer?.name ?? '', /^staging-2-/);
          });
          assert.equal(await rowsOf(apart.store, received), []);
          const document = jsonOf(await send(near.host.url, { method: 'GET', path: '/asyncapi.json' }));
          const { channels } = document as { channels: Record<string, { address: string }> };
          assert.is(channels['OrderCreated']?.address, 'staging-2.events.OrderCreated');
          const destination = "SELECT svc_destination('OrderCreated', false)";
          assert.equal(await rowsOf(near.store, destination), [['svc.events.OrderCreated']]);
        }),
      ),
    ),
  ));

test('the store records its namespace with the first broker, and a host with another one refuses to start', () =>
  broker((nats) =>
    withStore(async (store) => {
      const refusal = async (namespace: string): Promise<string> => {
        try {
          await (await startAt(ordersAlone, store, nats, namespace)).stop();
          return '';
        } catch (error) {
          return error instanceof Problem ? error.message : String(error);
        }
      };
      const alone = await startHost(ordersAlone, readConfig({ SVC_PORT: '0', DATABASE_URL: store }));
      await alone.stop();
      assert.is(await refusal('staging-3'), '', 'a host without a broker records none');
      assert.match(
        await refusal('svc'),
        /This store publishes in the namespace staging-3, but this host is set to svc; set SVC_NAMESPACE=staging-3\.$/,
      );
      assert.is(await refusal('staging-3'), '');
    }),
  ));
