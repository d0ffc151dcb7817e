import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { svc as spawnSvc, withOrders } from '../testing/spawned-host.js';
import { place, spoil, statuses, actions } from '../testing/placed-orders.js';

const test = suite('svc perspectives cancel');

test('a cancelled rebuild ends at once, is reported as failed, and the old model stays', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    await withOrders({ ...env, SVC_AUDIT: 'all' }, async (host) => {
      await Promise.all(Array.from({ length: 60 }, () => place(host.url)));
      await spoil(url);
      const slow = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--max-rate', '1'];
      const rebuilding = spawnSvc(slow, env);
      const state = async () => (await query(url, 'SELECT state FROM svc_rebuilds'))[0]?.[0];
      await until(async () => (await state()) === 'replaying');
      const cancelled = await svc(['perspectives', 'cancel', 'order-summary'], env);
      assert.is(cancelled.stdout, 'Cancelling the rebuild of order-summary.\n', cancelled.stderr);
      const { code, stderr } = await rebuilding;
      assert.equal([code, stderr], [1, 'svc: The rebuild of order-summary was cancelled.\n']);
      assert.is(await state(), 'cancelled');
      assert.equal(await statuses(url), [['lost']]);
      const failures = await query(
        url,
        "SELECT event_type, data ->> 'error' FROM svc_system_stream WHERE event_type LIKE 'PerspectiveRebuildFailed'",
      );
      assert.equal(failures, [['PerspectiveRebuildFailed', 'cancelled']]);
      assert.equal(
        (await actions(url)).map(([action]) => action),
        ['perspectives rebuild', 'perspectives cancel'],
      );
      assert.equal(await query(url, "SELECT relname FROM pg_class WHERE relname LIKE 'svc_new_per%'"), []);
    });
  }));
