import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { everyFollowerPasses } from '../testing/followed-once.js';
import { whileHeld } from '../testing/held-leases.js';

const test = suite('followers beside a session that holds their leases');

/** Longer than a lease lasts. */
const heldMs = 10_000;

everyFollowerPasses(test, {
  'rows of leases held for 10 s under 64 callers let every commit through, and no other lease is lost':
    async ({ orders, start, shop, warehouse }) => {
      await start();
      await whileHeld(shop, (near) =>
        whileHeld(warehouse, async (far) => {
          for (const from = performance.now(); performance.now() - from < heldMs; await delay(500))
            await orders.place(64, { clients: 64 });
          await until(async () => (await near.othersAreKept()) && (await far.othersAreKept()));
          assert.equal([await near.areHeld(), await far.areHeld()], [true, true]);
        }),
      );
    },
});
