import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { jsonOf } from '../../endpoints/testing/http-client.js';
import { startEmbeddedServer } from '../../runtime/database/embedded-server.js';
import { removeHome } from '../../runtime/database/embedded/server-home.js';
import { fastUnsafeSettings } from '../../runtime/kit/postgres-server.js';
import { until } from '../../runtime/kit/until.js';
import { withSmallDisk } from '../../runtime/testing/small-disk.js';
import { ordersAlone } from '../testing/orders-alone.js';
import { createOrder } from '../testing/order-load.js';
import { probe, untilReady, withHost } from '../testing/probed-host.js';

const test = suite('a full disk');

test('a host whose database has no space is not ready and says so, and is ready again when there is some', () =>
  withSmallDisk('120m', async ({ folder, fill, free }) => {
    const settings = { ...fastUnsafeSettings, max_wal_size: '32MB', min_wal_size: '32MB' };
    const server = await startEmbeddedServer({ dataDir: folder, settings });
    try {
      await withHost(
        server.url,
        async (host) => {
          assert.is((await createOrder(host.url)).status, 200);
          await fill();
          const refusal = async () => jsonOf(await createOrder(host.url)) as { readonly detail?: string };
          await until(async () => ((await refusal()).detail ?? '').includes('disk'));
          await untilReady(host.url, ({ code }) => code === 503);
          const { checks } = await probe(host.url);
          const found = checks.find(({ name }) => name === 'svc_relational_db');
          assert.equal([found?.status, found?.detail], ['Unhealthy', fullText]);
          await free();
          await untilReady(host.url, ({ code }) => code === 200);
          assert.is((await createOrder(host.url)).status, 200);
        },
        {},
        ordersAlone,
      );
    } finally {
      await server.stop();
      await removeHome(folder);
    }
  }));

const fullText = 'The disk of the database is full; nothing can be stored until it has space.';
