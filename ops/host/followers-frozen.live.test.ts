import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { longestLeaseMs, ownersIn } from '../testing/followed-scene.js';
import { untilRenewed } from '../testing/late-leases.js';

const test = suite('followers of a host that is frozen');

everyFollowerPasses(test, {
  'SIGSTOP under load loses and doubles nothing: another host takes over within 5 s, then the host wakes':
    async (scene) => {
      const { orders, start } = scene;
      const frozen = await start();
      await untilRenewed(frozen);
      const before = await frozen.leases();
      const owners = new Set(await ownersIn(scene));
      await start();
      const load = orders.begin();
      await orders.answered(40);
      frozen.freeze();
      assert.ok((await longestLeaseMs(scene)) < 5_000);
      await until(async () => !(await ownersIn(scene)).some((owner) => owners.has(owner)));
      frozen.wake();
      await orders.answered(40);
      await load.end();
      assert.equal(await frozen.leases(), before, 'it was never reported late');
    },
});
