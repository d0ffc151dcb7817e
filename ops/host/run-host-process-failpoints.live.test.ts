import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { mustBeStoredOnce } from '../testing/host-faults.js';
import { type Load, startLoad } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('host process');

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
