import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { execute } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until, untilPasses } from '../../runtime/kit/until.js';
import { checksWithStatus, probe, withHost } from '../testing/probed-host.js';

const test = suite('leases that cannot be renewed');

test('leases that a failing question does not renew are Degraded with the reason, and Healthy once they are renewed', () =>
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
      await untilPasses(async () => {
        const leases = (await probe(host.url, '/health')).checks.find(({ name }) => name === 'leases');
        assert.is(leases?.status, 'Degraded');
        assert.match(leases?.detail ?? '', 'the clock is broken');
      });
      await execute(url, definition);
      await until(async () => (await degraded()).length === 0);
    }),
  ));

const broken = `CREATE OR REPLACE FUNCTION svc_lease_remaining_ms(p_until timestamptz) RETURNS int LANGUAGE plpgsql AS $$
  BEGIN RAISE 'the clock is broken'; END $$`;
