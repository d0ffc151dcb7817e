import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { afterTwo, impatient, withSupervisor } from '../testing/spawned-supervisor.js';
import { kitchen } from '../testing/reacting-kitchen.js';

const test = suite('a reaction that blocks the event loop');

test('its event is parked after it has cost several hosts, and all others are handled', () =>
  withStore((database) =>
    withSupervisor(
      { args: afterTwo, env: { DATABASE_URL: database, ...impatient }, source: kitchen },
      async ({ url }) => {
        const boil = (pot: string) => post(url, { pot }, { path: '/boil' });
        // The reaction may block the host before it has answered.
        await boil('burnt').catch(() => undefined);
        const aside = () => rowsOf(database, 'SELECT state, error FROM svc_stuck_work');
        await until(async () => (await aside()).length > 0, 600_000);
        assert.equal(await aside(), [
          [
            'parked',
            'quarantined: reaction serve is in quarantine because it blocked this service repeatedly.',
          ],
        ]);
        await until(
          () =>
            boil('fine').then(
              ({ status }) => status < 300,
              () => false,
            ),
          120_000,
        );
        const served = `SELECT DISTINCT data->>'pot' FROM svc_event_stream WHERE event_type = 'Served'`;
        await until(async () => (await rowsOf(database, served)).length > 0, 120_000);
        assert.equal(await rowsOf(database, served), [['fine']]);
      },
    ),
  ));
