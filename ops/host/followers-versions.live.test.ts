import { suite } from '../../contracts/testing/suite.js';
import { everyFollowerPasses, lagReturnsTo0 } from '../testing/followed-once.js';

const test = suite('followers that not every version has');

everyFollowerPasses(test, {
  'followers that a newer version lacks are run by the older one, and their lag returns to 0': async (
    scene,
  ) => {
    const { orders, start } = scene;
    const older = await start({ version: '1.0.0', hasFollowers: true });
    await start({ version: '2.0.0', hasFollowers: false });
    await orders.place(60);
    await lagReturnsTo0(scene);
    await older.kill('SIGTERM');
    await orders.place(60);
    await start({ version: '3.0.0', hasFollowers: true });
    await lagReturnsTo0(scene);
  },
});
