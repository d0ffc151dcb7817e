import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('the successor of a host');

test('it follows the log and fires timers at once after kill -9, however long the leases of the other still last', () =>
  withStore(async (url) => {
    await until(async () => String(await rowsOf(url, isOld)) === 'true');
    const owners = async (): Promise<string[]> => (await rowsOf(url, ownersText)).flat();
    await withOrders({ DATABASE_URL: url }, async (host) => {
      await until(async () => (await owners()).length === 1);
      await host.kill('SIGKILL');
    });
    const [killed = ''] = await owners();
    const prolong = `UPDATE svc_leases SET lease_until = clock_timestamp() + interval '9 s' WHERE owner = '${killed}'`;
    await execute(url, prolong);
    await withOrders({ DATABASE_URL: url }, async () => {
      await until(async () => {
        await execute(url, prolong);
        return !(await owners()).includes(killed);
      });
      assert.equal(await rowsOf(url, `SELECT FROM svc_hosts WHERE id = '${killed}'`), []);
    });
  }));

/** Relay and subscriber wait until their leases end. */
const ownersText =
  "SELECT DISTINCT owner FROM svc_leases WHERE owner IS NOT NULL AND name NOT IN ('outbox', 'inbox')";

/** After a restart of the server, sessions say nothing. */
const isOld = "SELECT pg_postmaster_start_time() < clock_timestamp() - interval '5 s'";
