import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { mustBeStoredOnce } from '../testing/host-faults.js';
import { type Load, startLoad } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('host process');

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
