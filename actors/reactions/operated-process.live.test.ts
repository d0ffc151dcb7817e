import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withScene, statesOf, killed } from '../testing/operated-hosts.js';

const test = suite('operators and hosts that die, sleep and are replaced');

test('a reaction that no host has anymore is an orphan, one whose hosts have stopped is stopped', () =>
  withScene(async (scene) => {
    const first = scene.start();
    await until(async () => (await statesOf(scene))['reserve-stock'] === 'live');
    await killed(first);
    await until(async () => (await statesOf(scene))['reserve-stock'] === 'stopped');
    scene.start('hold-stock');
    await until(async () => (await statesOf(scene))['hold-stock'] === 'live');
    assert.is((await statesOf(scene))['reserve-stock'], 'orphan');
  }));
