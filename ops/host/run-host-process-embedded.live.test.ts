import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { createOrder, orderIdIn } from '../testing/order-load.js';
import { type SpawnedHost, withOrders } from '../testing/spawned-host.js';
import { withDataDir, postmasterOf } from '../testing/embedded-host.js';

const test = suite('host process with its own PostgreSQL');

const cancel = async (host: SpawnedHost, orderId: string): Promise<number> =>
  (await post(host.url, { orderId, why: 'changed my mind' }, { path: '/orders/cancel' })).status;

test('an order is there again after a stop and a start, and after kill -9 the running server is adopted', () =>
  withDataDir(async (dataDir) => {
    const env = { SVC_DATA_DIR: dataDir };
    const orders: string[] = [];
    await withOrders(env, async (host) => {
      orders.push(orderIdIn(await createOrder(host.url)));
      assert.equal(await host.kill('SIGTERM'), { code: 0, signal: null });
      assert.is(await postmasterOf(dataDir), undefined, 'the server stops with its host');
    });
    let server: string | undefined;
    await withOrders(env, async (host) => {
      assert.is(await cancel(host, orders[0] ?? ''), 200);
      orders.push(orderIdIn(await createOrder(host.url)));
      server = await postmasterOf(dataDir);
      await host.kill('SIGKILL');
    });
    await withOrders(env, async (host) => {
      assert.ok(server);
      assert.is(await postmasterOf(dataDir), server, 'the same server runs on');
      assert.is(await cancel(host, orders[0] ?? ''), 409);
      assert.is(await cancel(host, orders[1] ?? ''), 200);
      await host.kill('SIGTERM');
      assert.is(await postmasterOf(dataDir), undefined, 'the host that adopts it also stops it');
    });
  }));
