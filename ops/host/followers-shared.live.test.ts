import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { ownersOf } from '../testing/followed-scene.js';

const test = suite('followers of several hosts');

everyFollowerPasses(test, {
  'two hosts share the work, and nothing is lost or doubled while one joins and one leaves': async (
    scene,
  ) => {
    const { orders, start } = scene;
    const first = await start();
    const load = orders.begin();
    await orders.answered(20);
    await start();
    for (const kind of ['reaction', 'process', 'timers'])
      await until(async () => (await ownersOf(scene, kind)).length === 2);
    await orders.answered(20);
    await first.kill('SIGTERM');
    await orders.answered(40);
    await load.end();
  },
});
