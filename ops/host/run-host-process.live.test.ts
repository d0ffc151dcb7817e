import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { ordersIn } from '../testing/host-faults.js';
import { createOrder, orderIdIn, startLoad } from '../testing/order-load.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type SpawnedHost, withOrders } from '../testing/spawned-host.js';

const test = suite('host process');

/** For tests that leave it running. */
const whileRunning = sharedIn<{ readonly host: SpawnedHost; readonly url: string }>(test, (body) =>
  withStore((url) => withOrders({ DATABASE_URL: url, SVC_NAME: 'north' }, (host) => body({ host, url }))),
);

test('the line "listening" contains the address', () =>
  whileRunning(async ({ host, url }) => {
    const { msg, service, host: name, url: address } = host.listening;
    assert.equal([msg, service, name], ['listening', 'orders', 'north']);
    assert.match(String(address), /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.is((await createOrder(host.url)).status, 200);
    const [stored] = await rowsOf(
      url,
      'SELECT host, event_type FROM svc_event_stream ORDER BY global_position',
    );
    assert.equal(stored, ['north', 'OrderCreated']);
  }));

test('SIGTERM under load loses no request, and the process exits with 0', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const load = startLoad({ url: host.url, clients: 64 });
      await load.reached(150);
      const ended = await host.kill('SIGTERM');
      await load.done;
      assert.equal(ended, { code: 0, signal: null });
      assert.equal([...load.others.keys()], ['ECONNREFUSED'], 'every failure is a refused connection');
      assert.equal((await ordersIn(url)).toSorted(), [...load.acknowledged.values()].toSorted());
    }),
  ));

test('a failing handler or a rejected promise does not end the host', () =>
  whileRunning(async ({ host }) => {
    const made = await createOrder(host.url);
    const orderId = orderIdIn(made);
    const queued = await post(host.url, { orderId, carrier: 'down' }, { path: '/orders/ship' });
    assert.equal(jsonOf(queued), { orderId, status: 'queued' });
    assert.is((await createOrder(host.url)).status, 200);
  }));
