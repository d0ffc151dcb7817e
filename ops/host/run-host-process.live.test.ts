import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { openRaw, jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import {
  answersAfterFreeze,
  mustBeStoredOnce,
  ordersIn,
  survivesClosedConnections,
  survivesOutages,
  untilDraining,
} from '../testing/host-faults.js';
import { createOrder, type Load, orderIdIn, startLoad } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type SpawnedHost, withOrders } from '../testing/spawned-host.js';
import { durationOf, until } from '../../runtime/testing/until.js';

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

test('for a second after SIGTERM new connections are accepted and readiness fails', () =>
  withStore((url) => {
    const answers = new Set<number>();
    const probing = () =>
      withOrders({ DATABASE_URL: url }, async (host) => {
        const draining = untilDraining(host);
        const from = performance.now();
        void host.kill('SIGTERM');
        await draining;
        let refusedAt: number | undefined;
        while (refusedAt === undefined) {
          const probe = await send(host.url, { method: 'HEAD', path: '/health/ready' }).catch(
            () => undefined,
          );
          if (probe === undefined) refusedAt = performance.now();
          else answers.add(probe.status);
        }
        assert.ok(refusedAt - from > 900, `refused after ${refusedAt - from} ms`);
        assert.equal(await host.ended, { code: 0, signal: null });
      });
    return until(async () => {
      await probing();
      // A busy machine may not have had a turn in that second, and seen nothing of it.
      return answers.size > 0;
    }).then(() => assert.equal([...answers], [503]));
  }));

test('a host that is frozen while it drains still answers what has arrived, and exits with 0', () =>
  answersAfterFreeze(1_000));

test('a repeated signal does not cut draining short', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url }, async (host) => {
      const draining = untilDraining(host);
      const load = startLoad({ url: host.url, clients: 16 });
      await load.reached(50);
      await openRaw(host.url);
      void host.kill('SIGTERM');
      await draining;
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT'] as const) void host.kill(signal);
      assert.equal(await host.ended, { code: 0, signal: null });
      await load.done;
      assert.equal([...load.others.keys()], ['ECONNREFUSED']);
    }),
  ));

test('kill -9 under load: what was acknowledged is stored once, and a repeated key is not doubled', () =>
  withStore(async (url) => {
    const loads: Load[] = [];
    await withOrders({ DATABASE_URL: url }, async (host) => {
      const load = startLoad({ url: host.url, clients: 64 });
      loads.push(load);
      await load.reached(200);
      assert.equal(await host.kill('SIGKILL'), { code: null, signal: 'SIGKILL' });
      await load.done;
    });
    await withHost(url, async (host) => {
      const [load] = loads;
      assert.ok(load && load.unanswered.size > 0);
      await mustBeStoredOnce(url, load, host);
    });
  }));

for (const failpoint of ['store-before-commit', 'store-after-commit']) {
  test(`a host that dies at ${failpoint} loses and doubles nothing`, () =>
    withStore(async (url) => {
      const loads: Load[] = [];
      await withOrders({ DATABASE_URL: url, SVC_FAILPOINTS: `${failpoint}@20` }, async (host) => {
        const load = startLoad({ url: host.url, clients: 64 });
        loads.push(load);
        assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
        await load.done;
      });
      await withHost(url, async (host) => {
        const [load] = loads;
        assert.ok(load && load.acknowledged.size > 0);
        await mustBeStoredOnce(url, load, host);
      });
    }));
}

test('connections that the database closes under load cost at most a 503, and the host recovers by itself', () =>
  survivesClosedConnections(2));

test('while the database is down every answer is 503, and when it is back the host serves again', () =>
  survivesOutages(1));

test('a host whose database is down still stops within 10 seconds of a signal', () =>
  withStore((url) =>
    withProxy(url, (line) =>
      withOrders({ DATABASE_URL: line.url }, async (host) => {
        const load = startLoad({ url: host.url, clients: 16 });
        await load.reached(50);
        await line.cut();
        const ended = host.kill('SIGTERM');
        assert.ok((await durationOf(ended)) < 11_000);
        assert.equal(await ended, { code: 0, signal: null });
        await load.done;
      }),
    ),
  ));

test('a failing handler or a rejected promise does not end the host', () =>
  whileRunning(async ({ host }) => {
    const made = await createOrder(host.url);
    const orderId = orderIdIn(made);
    const queued = await post(host.url, { orderId, carrier: 'down' }, { path: '/orders/ship' });
    assert.equal(jsonOf(queued), { orderId, status: 'queued' });
    assert.is((await createOrder(host.url)).status, 200);
  }));
