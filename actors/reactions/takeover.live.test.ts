import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Database } from '../../runtime/database/database.js';
import { until } from '../../runtime/testing/until.js';
import {
  countIn,
  faultsIn,
  noFaults,
  placeOrders,
  reserved,
  withReactionHosts,
} from '../testing/reaction-hosts.js';

const test = suite('cursors of a host that is gone');

/** On a busy machine hosts take their time to start. */
const patienceMs = 90_000;

/** How many cursors of the reaction and of the timers each host holds, most first. */
const shares = async (owner: Database): Promise<readonly number[]> =>
  (
    await owner.rows({
      text: `SELECT count(*) FROM svc_cursors WHERE name ~ '^(reaction|timers)/' AND owner IS NOT NULL
        AND lease_until > clock_timestamp() GROUP BY owner ORDER BY 1 DESC`,
    })
  ).map(([share]) => Number(share));

const longestLease = async (owner: Database): Promise<number> => {
  const text = 'SELECT max(svc_lease_remaining_ms(lease_until)) FROM svc_cursors';
  return Number((await owner.rows({ text }))[0]?.[0]);
};

const areShared = (owner: Database, ...expected: readonly number[]) =>
  until(async () => (await shares(owner)).join() === expected.join(), patienceMs);

for (const signal of ['SIGKILL', 'SIGSTOP'] as const)
  test(`another host takes over after ${signal}: the leases end within 5 s`, () =>
    withReactionHosts(async ({ owner, store, start }) => {
      const victim = start();
      await areShared(owner, 16);
      start();
      await areShared(owner, 8, 8);
      victim.kill(signal);
      assert.ok((await longestLease(owner)) < 5_000);
      await placeOrders(store, 12);
      await until(async () => (await countIn(owner, reserved)) === 12, patienceMs);
      assert.equal(await faultsIn(owner, 12), noFaults);
    }));

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
