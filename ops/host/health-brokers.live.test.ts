import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withAmqp } from '../../runtime/testing/shared-rabbitmq.js';
import { reportsAmqpOutage } from '../testing/amqp-outage.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import {
  type Health,
  checksWithStatus,
  probe,
  promisedMs,
  untilReady,
  withHost,
} from '../testing/probed-host.js';
import { takingAll } from '../testing/taking-all.js';

const test = suite('host health and its brokers');

test('when NATS is killed readiness reports the bus and the subscriptions within 3 s, commands are served, and the host is ready again within 3 s of its return', () =>
  withNatsServer((server) =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          assert.is((await createOrder(host.url)).status, 200);
          await server.stop();
          const isReported = (health: Health) =>
            checksWithStatus(health, 'Unhealthy').join() === 'subscriptions,cloud_servicebus';
          const redMs = await untilReady(host.url, isReported);
          assert.is((await probe(host.url)).code, 503);
          for (let n = 0; n < 5; n++) assert.is((await createOrder(host.url)).status, 200);
          await server.start();
          const greenMs = await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
          assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        },
        { NATS_URL: server.url },
        takingAll(ordersAlone),
      ),
    ),
  ));

test('a frozen NATS is reported within 3 s, and the host is ready again when it continues', () =>
  withNatsServer((server) =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          await server.freeze();
          const redMs = await untilReady(host.url, (health) =>
            checksWithStatus(health, 'Unhealthy').includes('cloud_servicebus'),
          );
          assert.is((await probe(host.url)).code, 503);
          server.resume();
          await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        },
        { NATS_URL: server.url },
      ),
    ),
  ));

test('with AMQP_URL the broker is checked too: red within 3 s when its connections are cut and refused, green when it is back', () =>
  withAmqp((line) =>
    reportsAmqpOutage({ url: line.url, stop: () => line.cut(), start: () => line.restore() }),
  ));
