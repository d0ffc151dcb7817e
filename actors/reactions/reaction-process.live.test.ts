import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/testing/until.js';
import { mustHaveBeenKilled } from '../testing/killed-hosts.js';
import {
  countIn,
  faultsIn,
  noFaults,
  placeOrders,
  reserved,
  withReactionHosts,
} from '../testing/reaction-hosts.js';

const test = suite('reactions in processes that die');

for (const point of ['reaction-before-commit', 'reaction-after-commit'])
  test(`a host that dies at ${point} loses and doubles nothing`, () =>
    withReactionHosts(async ({ owner, store, start }) => {
      await placeOrders(store, 60);
      await mustHaveBeenKilled(start(`${point}@7`));
      start();
      await until(async () => (await countIn(owner, reserved)) >= 60);
      assert.equal(await faultsIn(owner, 60), noFaults);
    }));

test('two hosts, one killed again and again: lost 0, doubled 0, unaudited 0, out of order 0', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    start();
    for (let round = 0; round < 3; round++) {
      const victim = start();
      await placeOrders(store, 40, (n) => String(round * 40 + n));
      await until(async () => (await countIn(owner, reserved)) >= round * 40 + 10);
      victim.kill('SIGKILL');
    }
    await until(async () => (await countIn(owner, reserved)) >= 120);
    assert.equal(await faultsIn(owner, 120), noFaults);
  }));
