import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { longestLeaseMs } from '../testing/followed-scene.js';

const test = suite('followers without their database');

everyFollowerPasses(test, {
  'a database that is away until all leases have ended costs no event, and hosts recover by themselves':
    async (scene) => {
      const { orders, start, shop, warehouse } = scene;
      await start();
      const load = orders.begin();
      await orders.answered(40);
      await Promise.all([shop.line.cut(), warehouse.line.cut()]);
      await until(async () => (await longestLeaseMs(scene)) === 0);
      await Promise.all([shop.line.restore(), warehouse.line.restore()]);
      await orders.answered(40);
      await load.end();
    },
});
