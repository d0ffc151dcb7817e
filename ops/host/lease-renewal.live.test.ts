import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/testing/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until, untilPasses } from '../../runtime/testing/until.js';
import { checksWithStatus, probe, withHost } from '../testing/probed-host.js';

const test = suite('leases that cannot be renewed');

const followers = ['outbox_age', 'perspective_lag', 'reactions', 'timers'];

test('every follower whose lease cannot be renewed is Degraded with the reason, and Healthy once it is renewed', () =>
  withStore((url) =>
    withHost(url, async (host) => {
      const degraded = async () => checksWithStatus(await probe(host.url, '/health'), 'Degraded').toSorted();
      await until(async () => (await degraded()).length === 0);
      const [[definition = ''] = []] = await rowsOf(
        url,
        "SELECT pg_get_functiondef('svc_lease_remaining_ms'::regproc)",
      );
      await execute(url, broken);
      await execute(url, 'NOTIFY svc');
      await until(async () => (await degraded()).join() === followers.join());
      // On a busy machine a check may have no answer for a while.
      await untilPasses(async () => {
        for (const { name, detail } of (await probe(host.url, '/health')).checks)
          if (followers.includes(name)) assert.match(detail ?? '', 'the clock is broken', name);
      });
      await execute(url, definition);
      await until(async () => (await degraded()).length === 0);
    }),
  ));

const broken = `CREATE OR REPLACE FUNCTION svc_lease_remaining_ms(p_until timestamptz) RETURNS int LANGUAGE plpgsql AS $$
  BEGIN RAISE 'the clock is broken'; END $$`;
