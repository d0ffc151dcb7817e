import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { longestLeaseMs } from '../testing/followed-scene.js';

const test = suite('followers of a host that dies');

everyFollowerPasses(test, {
  'kill -9 under load loses and doubles nothing, and another host takes over within 5 s': async (scene) => {
    const { orders, start } = scene;
    // The first host has every lease that cannot be shared.
    const first = await start();
    await start();
    const load = orders.begin();
    await orders.answered(40);
    await first.kill('SIGKILL');
    assert.ok((await longestLeaseMs(scene)) < 5_000);
    await orders.answered(40);
    await load.end();
  },
});
