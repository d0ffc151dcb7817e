import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { withRabbitMq } from '../../runtime/testing/rabbitmq-server.js';
import { createOrder } from '../testing/order-load.js';
import {
  type Health,
  checksWithStatus,
  probe,
  promisedMs,
  untilReady,
  withHost,
} from '../testing/probed-host.js';

const test = suite('host health and its brokers');

test('when NATS is killed readiness reports the bus and the subscriptions within 3 s, commands are served, and the host is ready again within 3 s of its return', () =>
  withNatsServer((server) =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          assert.is((await createOrder(host.url)).status, 200);
          await server.stop();
          const isTold = (health: Health) =>
            checksWithStatus(health, 'Unhealthy').join() === 'subscriptions,cloud_servicebus';
          const redMs = await untilReady(host.url, isTold);
          assert.is((await probe(host.url)).code, 503);
          for (let n = 0; n < 5; n++) assert.is((await createOrder(host.url)).status, 200);
          await server.start();
          const greenMs = await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
          assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        },
        { NATS_URL: server.url },
      ),
    ),
  ));

test('a frozen NATS is reported within 3 s, and the host is ready again when it continues', () =>
  withNatsServer((server) =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          server.signal('SIGSTOP');
          const redMs = await untilReady(host.url, (health) =>
            checksWithStatus(health, 'Unhealthy').includes('cloud_servicebus'),
          );
          assert.is((await probe(host.url)).code, 503);
          server.signal('SIGCONT');
          await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
        },
        { NATS_URL: server.url },
      ),
    ),
  ));

test('with AMQP_URL the broker is checked too: red within 3 s when it is killed, green when it is back', () =>
  withRabbitMq((server) =>
    withStore((url) =>
      withHost(
        url,
        async (host) => {
          assert.ok(checksWithStatus(await probe(host.url), 'Healthy').includes('amqp_broker'));
          await server.stop();
          const redMs = await untilReady(host.url, ({ code }) => code === 503);
          const red = await probe(host.url);
          assert.equal(checksWithStatus(red, 'Unhealthy'), ['amqp_broker']);
          const { detail } = red.checks.find(({ name }) => name === 'amqp_broker') ?? {};
          assert.match(detail ?? '', /^The AMQP broker at 127\.0\.0\.1:\d+ cannot be reached \(\w+\)\.$/);
          assert.is((await createOrder(host.url)).status, 200);
          await server.start();
          const greenMs = await untilReady(host.url, ({ code }) => code === 200);
          assert.ok(redMs < promisedMs, `red after ${redMs} ms`);
          assert.ok(greenMs < promisedMs, `green after ${greenMs} ms`);
        },
        { AMQP_URL: server.url },
      ),
    ),
  ));

test.run();
