import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { expireLeases, mustHaveBeenKilled } from '../testing/killed-hosts.js';
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
      await expireLeases(owner);
      start();
      await until(async () => (await countIn(owner, reserved)) >= 60);
      assert.equal(await faultsIn(owner, 60), noFaults);
    }));
