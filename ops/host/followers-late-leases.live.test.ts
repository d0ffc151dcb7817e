import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { whileHeld } from '../testing/held-leases.js';
import { untilLate, untilRenewed } from '../testing/late-leases.js';

const test = suite('followers whose leases are not renewed');

everyFollowerPasses(test, {
  'a lease whose row a session holds is Degraded within 2 s of when it was due, and Healthy once it is renewed':
    async ({ orders, running, shop, warehouse }) => {
      const [pair = assert.unreachable() as never] = await running(1);
      await untilRenewed(pair);
      await whileHeld(shop, () =>
        whileHeld(warehouse, () => untilLate(pair, 'another session holds the rows')),
      );
      await untilRenewed(pair);
      await orders.place(10);
    },

  'leases that a silent database does not renew are Degraded within 2 s of when they were due, and Healthy after':
    async ({ orders, running, shop, warehouse }) => {
      const [pair = assert.unreachable() as never] = await running(1);
      await untilRenewed(pair);
      for (const { line } of [shop, warehouse]) line.silence();
      await untilLate(pair, 'the database does not answer');
      for (const { line } of [shop, warehouse]) line.resume();
      await untilRenewed(pair);
      await orders.place(10);
    },
});
