import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { createOrder } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('the record of a loss');

const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;

test('a host that is killed while it records a loss leaves it to the next one, which records it once', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url, SVC_NAME: 'north', SVC_FAILPOINTS: 'loss-recording' };
    await withOrders(env, async (host) => {
      for (let n = 0; n < 3; n++) assert.is((await createOrder(host.url)).status, 200);
      // What their fulfilment writes must not take the places of what is lost.
      await until(async () => (await rowsOf(url, waitingText)).length === 3);
      await execute(url, goBackText);
      assert.equal(await host.ended, { code: null, signal: 'SIGKILL' });
    });
    assert.equal(await rowsOf(url, reportsText), []);
    const [known] = await rowsOf(url, 'SELECT epoch, fork, lost_to, witness FROM svc_epochs WHERE epoch = 2');
    assert.is(known?.[3], 'north');
    await withHost(url, async () => {
      await until(async () => (await rowsOf(url, reportsText)).length > 0);
    });
    await withHost(url, async (host) => {
      assert.is((await createOrder(host.url)).status, 200);
      assert.equal(await rowsOf(url, reportsText), [known]);
    });
  }));

const waitingText = `SELECT 1 FROM svc_processes WHERE state = 'awaitingPayment'`;

/** Keeps the first order with its audits. A host notices a loss when it connects again. */
const goBackText = `SELECT svc_lock_log();
  SET session_replication_role = replica;
  DELETE FROM svc_system_events WHERE global_position > (SELECT min(global_position) + 2 FROM svc_events);
  DELETE FROM svc_events WHERE global_position > (SELECT min(global_position) FROM svc_events);
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
