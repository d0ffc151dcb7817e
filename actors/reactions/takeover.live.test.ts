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
import { patienceMs, areShared } from '../testing/cursor-shares.js';

const test = suite('cursors of a host that is gone');

const longestLease = async (owner: Database): Promise<number> => {
  const text = 'SELECT max(svc_lease_remaining_ms(lease_until)) FROM svc_cursors';
  return Number((await owner.rows({ text }))[0]?.[0]);
};

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
