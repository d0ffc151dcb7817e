import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, send } from '../../endpoints/testing/http-client.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { withOperator } from '../../runtime/testing/nats-connections.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { followingService } from '../testing/following-service.js';
import { withNatsHost } from '../testing/nats-host.js';
import { createOrder, orderIdIn } from '../testing/order-load.js';
import { orders } from '../testing/orders-alone.js';
import { probe } from '../testing/probed-host.js';

const test = suite('events of other stores on one broker');

interface Service {
  readonly url: string;
  readonly store: string;
}

interface Scene {
  readonly broker: string;
  readonly north: Service;
  readonly south: Service;
  /** Asks for the orders of others. */
  readonly follower: Service;
}

/** Two stores of the whole orders example, with its reactions and processes, and a service that follows it. */
const withServices = sharedIn<Scene>(test, (body) =>
  withEmptyNats((broker) =>
    withNatsHost(orders, broker, ({ url: north }, northStore) =>
      withNatsHost(orders, broker, ({ url: south }, southStore) =>
        withNatsHost(followingService, broker, ({ url: follower }, followerStore) =>
          body({
            broker,
            north: { url: north, store: northStore },
            south: { url: south, store: southStore },
            follower: { url: follower, store: followerStore },
          }),
        ),
      ),
    ),
  ),
);

const received = 'SELECT event_id FROM svc_events WHERE origin <> 0';

const subscriptionsOf = async ({ url }: Service): Promise<string | undefined> =>
  (await probe(url, '/health')).checks.find(({ name }) => name === 'subscriptions')?.status;

test('two stores of one service take nothing from each other: without a class that asks, a host has no consumer', () =>
  withServices(async ({ broker, north, south, follower }) => {
    await until(async () => (await createOrder(north.url)).status === 200);
    await until(async () => (await rowsOf(follower.store, received)).length === 1);
    const [[store = ''] = []] = await rowsOf(follower.store, 'SELECT id FROM svc_store');
    await withOperator(broker, async (operator) => {
      const manager = await operator.jetstreamManager();
      const names: string[] = [];
      for await (const { name } of manager.consumers.list('SVC_EVENTS')) names.push(name);
      assert.is(names.length, 1, names.join());
      assert.match(names[0] ?? '', store);
    });
    for (const service of [north, south]) {
      assert.is(await subscriptionsOf(service), 'Healthy');
      assert.equal(await rowsOf(service.store, received), []);
    }
  }));

test('a forged event of an invented store reaches only the classes that asked for it', () =>
  withServices(async ({ broker, north, follower }) => {
    const orderId = orderIdIn(await createOrder(north.url));
    const read = () => send(north.url, { method: 'GET', path: `/orders/${orderId}` });
    await until(async () => (await read()).status === 200);
    const invented = new ForeignStore();
    const cancelled = invented.event(orderId, {
      messageType: 'OrderCancelled',
      payload: { orderId, reason: 'forged' },
    });
    const created = invented.event(newUuid(), { messageType: 'OrderCreated', payload: {} });
    const raw = await RawNats.connect(broker);
    for (const event of [cancelled, created])
      raw.publish(`svc.events.${event.messageType}`, encodeEnvelope(event));
    await raw.flush();
    raw.close();
    const forged = `SELECT 1 FROM svc_events WHERE event_id IN ('${cancelled.messageId}', '${created.messageId}')`;
    await until(async () => (await rowsOf(follower.store, forged)).length === 1);
    assert.equal(await rowsOf(north.store, forged), []);
    assert.is.not((jsonOf(await read()) as { status: string }).status, 'cancelled');
  }));
