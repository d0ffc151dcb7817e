import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf } from '../../endpoints/testing/http-client.js';
import { execute, withName } from '../../runtime/kit/database.js';
import { withPostgres } from '../../runtime/testing/postgres-release.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { probe, untilReady, withHost } from '../testing/probed-host.js';

const test = suite('a server without free connections');

const text = 'The database accepts no more connections; try again shortly.';

test('a host says that its server has none, and is ready again when there are some', () =>
  withPostgres(undefined, async (server) => {
    await execute(server, "CREATE ROLE shop LOGIN CREATEROLE PASSWORD 'secret'");
    await execute(server, 'CREATE DATABASE shop OWNER shop');
    const url = new URL(withName(server, 'shop'));
    [url.username, url.password] = ['shop', 'secret'];
    await withHost(
      url.href,
      async (host) => {
        assert.is((await createOrder(host.url)).status, 200);
        await execute(server, 'ALTER ROLE shop CONNECTION LIMIT 0');
        await execute(
          server,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'",
        );
        const refusal = async () => jsonOf(await createOrder(host.url)) as { readonly detail?: string };
        await until(async () => (await refusal()).detail === text);
        await untilReady(host.url, ({ code }) => code === 503);
        await until(async () => {
          const { checks } = await probe(host.url);
          return checks.some((check) => check.name === 'svc_relational_db' && check.detail === text);
        });
        await execute(server, 'ALTER ROLE shop CONNECTION LIMIT -1');
        await untilReady(host.url, ({ code }) => code === 200);
        await until(async () => (await createOrder(host.url)).status === 200);
      },
      {},
      ordersAlone,
    );
  }));
