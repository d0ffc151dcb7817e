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

const test = suite('reactions in processes that die');

test('two hosts share the partitions of reactions and timers equally', () =>
  withReactionHosts(async ({ owner, start }) => {
    start();
    start();
    const shares = async () =>
      (
        await owner.rows({
          text: "SELECT count(*) FROM svc_cursors WHERE (name LIKE 'reaction/%' OR name LIKE 'timers/%') AND owner IS NOT NULL GROUP BY owner",
        })
      ).map(([share]) => Number(share));
    await until(async () => (await shares()).join() === '8,8');
  }));

test('a poison key goes aside and is reported, and does not hold the others', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    start();
    await placeOrders(store, 24, (n) => (n === 0 ? 'poison' : String(n)));
    await until(async () => (await countIn(owner, reserved)) === 22);
    await until(
      async () => (await countIn(owner, "svc_system_events WHERE event_type = 'ReactionFailed'")) === 1,
    );
    assert.is(await countIn(owner, 'svc_aside'), 1);
  }));

test('a restart sends nothing again', () =>
  withReactionHosts(async ({ owner, store, start }) => {
    const first = start();
    await placeOrders(store, 24);
    await until(async () => (await countIn(owner, reserved)) === 24);
    first.kill('SIGKILL');
    start();
    await placeOrders(store, 12, (n) => String(24 + n));
    await until(async () => (await countIn(owner, reserved)) >= 36);
    assert.equal(await faultsIn(owner, 36), noFaults);
  }));
