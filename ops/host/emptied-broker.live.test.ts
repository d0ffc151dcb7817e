import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { followingService } from '../testing/following-service.js';
import { withNatsHost } from '../testing/nats-host.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { probe } from '../testing/probed-host.js';

const test = suite('a broker that comes back empty');

const order = (url: string): Promise<number> => until(async () => (await createOrder(url)).status === 200);

const count = async (store: string, from: string): Promise<number> =>
  Number((await rowsOf(store, `SELECT count(*) FROM ${from}`))[0]?.[0]);

test('is noticed by the receiver of domain events, also after its lease was given up', () =>
  withNatsServer((server) =>
    withNatsHost(ordersAlone, server.url, (near) =>
      withNatsHost(followingService, server.url, async (far, store) => {
        const lost = async (): Promise<boolean> => {
          const { checks } = await probe(far.url, '/health');
          const { status, detail } = checks.find(({ name }) => name === 'received') ?? {};
          return (
            status === 'Degraded' && /was deleted and created again.*svc outbox republish/.test(detail ?? '')
          );
        };
        await order(near.url);
        await until(async () => (await count(store, 'svc_events')) === 1);
        await until(async () => (await count(store, "svc_broker WHERE streams ? 'events'")) === 1);
        await server.stop();
        server.forget();
        await until(
          async () => (await count(store, "svc_leases WHERE name = 'inbox' AND owner IS NULL")) === 1,
        );
        await server.start();
        await until(lost);
        await order(near.url);
        await until(async () => (await count(store, 'svc_events')) === 2);
        assert.ok(await lost(), 'for an hour');
      }),
    ),
  ));
