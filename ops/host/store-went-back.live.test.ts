import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withProxy } from '../../runtime/testing/network-proxy.js';
import { withPostgresPair } from '../../runtime/testing/postgres-pair.js';
import { until } from '../../runtime/testing/until.js';
import { connect } from '../../runtime/database/connect.js';
import { loadService } from '../load-service.js';
import { readConfig } from '../config.js';
import { createOrder } from '../testing/order-load.js';
import { startHost } from './host.js';
import { untilReady } from '../testing/probed-host.js';

const test = suite('a host whose database went back in time');

const orders = await loadService(fileURLToPath(new URL('../../../examples/orders', import.meta.url)));

test('a loss of acknowledged events degrades the host and is recorded, also after new events passed the old head', () =>
  withPostgresPair((pair) =>
    withProxy(pair.url, async (line) => {
      const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: line.url });
      const host = await startHost(orders, config);
      try {
        assert.is((await createOrder(host.url)).status, 200);
        await pair.admin('ALTER SYSTEM RESET synchronous_standby_names');
        await pair.admin('SELECT pg_reload_conf()');
        await pair.stopStandby();
        for (let n = 0; n < 3; n++) assert.is((await createOrder(host.url)).status, 200);
        await line.cut();
        line.route(await pair.failOver());
        await line.restore();
        for (let n = 0; n < 6; n++) await until(async () => (await createOrder(host.url)).status === 200);
        await until(async () =>
          /events up to position \d+ that this host saw are lost/.test(await detailOf(host.url)),
        );
        await untilReady(host.url, ({ code }) => code === 200);
        const client = await connect(line.url);
        const text =
          "SELECT data->>'witness' AS witness FROM svc_system_stream WHERE event_type = 'StoreWentBack'";
        await until(async () => (await client.query(text)).rows.length > 0);
        assert.equal((await client.query(text)).rows, [{ witness: 'north' }]);
        await client.end();
      } finally {
        await host.stop();
      }
    }),
  ));

test.run();

async function detailOf(url: string): Promise<string> {
  const { checks } = (await (await fetch(`${url}/health`)).json()) as {
    readonly checks: readonly {
      readonly name: string;
      readonly status: string;
      readonly detail: string | null;
    }[];
  };
  const check = checks.find(({ name }) => name === 'store_history');
  return check?.status === 'Degraded' ? (check.detail ?? '') : '';
}
