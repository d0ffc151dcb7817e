import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/testing/until.js';
import {
  countIn,
  faultsIn,
  noFaults,
  placeOrders,
  reserved,
  withReactionHosts,
} from '../testing/reaction-hosts.js';
import { patienceMs, shares, areShared } from '../testing/cursor-shares.js';

const test = suite('cursors of a host that is gone');

test('a host that was stopped in the middle of its work and goes on does nothing a second time', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    const victim = start();
    await areShared(owner, 16);
    for (let round = 0; round < 2; round++) {
      const placing = placeOrders(store, 120, (n) => String(round * 240 + n));
      await until(async () => (await countIn(owner, reserved)) > round * 240 + 20);
      victim.kill('SIGSTOP');
      await placing;
      if (round === 0) start();
      await until(async () => (await countIn(owner, reserved)) === round * 240 + 120);
      const more = placeOrders(store, 120, (n) => String(round * 240 + 120 + n));
      victim.kill('SIGCONT');
      await more;
      await until(async () => (await countIn(owner, reserved)) >= round * 240 + 240);
      await areShared(owner, 8, 8);
    }
    assert.equal(await faultsIn(owner, 480), noFaults);
  }));

test('of three hosts none holds more than its share, and after one has left, two share all', () =>
  withReactionHosts(async ({ owner, start }) => {
    const [first] = [start(), start(), start()];
    await until(async () => {
      const held = await shares(owner);
      return held.length === 3 && Math.max(...held) <= 6 && held.reduce((sum, share) => sum + share) === 16;
    }, patienceMs);
    first.kill('SIGKILL');
    await areShared(owner, 8, 8);
  }));
