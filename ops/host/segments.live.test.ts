import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { newUuid } from '../../contracts/uuid.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { until } from '../../runtime/kit/until.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { anOrder } from '../testing/order-load.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { startHost } from './host.js';

const test = suite('segments of a host');

const summaries = "SELECT id, model - 'updatedAt' FROM svc_per_order_summary ORDER BY id";
const states = 'SELECT state FROM svc_segments ORDER BY low';

test('a host appends over borders, and a rebuild reads over all of them', () =>
  withStore(async (url) => {
    await useSegmentsOf(url, 16);
    const config = readConfig({
      SVC_PORT: '0',
      SVC_NAME: `n${newUuid()}`,
      DATABASE_URL: url,
      SVC_LOG: 'error',
    });
    const host = await startHost(await loadService(exampleHere('orders')), config);
    try {
      const orders = 40;
      for (let n = 0; n < orders; n++)
        assert.is((await post(host.url, anOrder, { path: '/orders' })).status, 200);
      assert.ok(host.tree.some(({ name, state }) => name === 'segments' && state === 'running'));
      await until(async () => (await rowsOf(url, summaries)).length === orders);
      await svcInProcess(['segments', 'seal'], { DATABASE_URL: url });
      assert.ok((await rowsOf(url, states)).filter(([state]) => state === 'sealed').length >= 5);
      const before = await rowsOf(url, summaries);
      const rebuilt = await svcInProcess(['perspectives', 'rebuild', 'order-summary', '--json'], {
        DATABASE_URL: url,
      });
      assert.is(rebuilt.code, 0, rebuilt.stderr);
      assert.equal(await rowsOf(url, summaries), before);
    } finally {
      await host.stop();
    }
  }));
