import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { createOrder } from '../testing/order-load.js';
import { startCli, withOrders } from '../testing/spawned-host.js';
import { interruptWhileStoring } from '../testing/interrupted-command.js';

const test = suite('a rebuild that is interrupted while it stores what it begins');

test('a rebuild by a host is cancelled', () =>
  withMigratedDatabase(async ({ url, connect }) =>
    withOrders({ DATABASE_URL: url, SVC_AUDIT: 'off' }, async (host) => {
      const owner = connect({ owner: true });
      for (let orders = 0; orders < 60; orders++) assert.is((await createOrder(host.url)).status, 200);
      // At this rate it takes a minute.
      const rebuild = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--max-rate', '1'];
      const command = await interruptWhileStoring(owner, 'svc_rebuilds', () =>
        startCli(rebuild, { DATABASE_URL: url }),
      );
      assert.is((await command.ended).code, 1);
      assert.match(
        command.output.stderr.join(''),
        /^svc: Interrupted; the rebuild is cancelled\.\nsvc: The rebuild of order-summary was cancelled\.\n$/,
      );
      assert.equal(await owner.rows({ text: 'SELECT state FROM svc_rebuilds' }), [['cancelled']]);
    }),
  ));
