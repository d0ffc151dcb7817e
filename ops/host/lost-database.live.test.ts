import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf } from '../../endpoints/testing/http-client.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { durationOf, until } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { type NetworkProxy, withProxy } from '../../runtime/testing/network-proxy.js';
import { createOrder } from '../testing/order-load.js';
import { type Host, startHost } from './host.js';
import { ordersAlone } from '../testing/orders-alone.js';

const test = suite('a host that loses its database');

const withHost = (body: (host: Host, line: NetworkProxy, direct: string) => Promise<void>): Promise<void> =>
  withStore((direct) =>
    withProxy(direct, async (line) => {
      const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: line.url });
      const host = await startHost(ordersAlone, config);
      try {
        await body(host, line, direct);
      } finally {
        await host.stop();
      }
    }),
  );

async function ordersIn(url: string): Promise<number> {
  const client = await connect(url);
  const { rows } = await client.query<{ n: number }>('SELECT count(*)::int AS n FROM svc_events');
  await client.end();
  return rows[0]?.n ?? 0;
}

test('the first command after the database went down is refused like any other, and is not stored when it is back', () =>
  withHost(async (host, line, direct) => {
    assert.is((await createOrder(host.url)).status, 200);
    const before = await ordersIn(direct);
    await line.cut();
    for (const which of ['first', 'second']) {
      const refused = await createOrder(host.url);
      assert.equal([refused.status, refused.headers['retry-after']], [503, '1'], which);
      assert.match(JSON.stringify(jsonOf(refused)), 'urn:svc:problem:store-unavailable', which);
    }
    await line.restore();
    await until(async () => (await createOrder(host.url)).status === 200);
    assert.is(await ordersIn(direct), before + 1);
  }));

test('a commit on a silent connection is retried on another before the server would end it', () =>
  withHost(async (host, line, direct) => {
    assert.is((await createOrder(host.url)).status, 200);
    const before = await ordersIn(direct);
    line.stall();
    const created = createOrder(host.url);
    const took = await durationOf(created);
    assert.is((await created).status, 200);
    assert.ok(took < 19_000, 'a statement may take 15 s, and its answer 5 s more');
    assert.is(await ordersIn(direct), before + 1);
    // Silent connections would not close either.
    await line.cut();
  }));
