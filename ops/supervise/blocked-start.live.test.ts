import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { slowKitchen } from '../testing/reacting-kitchen.js';
import { afterTwo, allRun, impatient, withSupervisor } from '../testing/spawned-supervisor.js';

const test = suite('a reaction that blocks the event loop');

const boiled = (pot: string) => ({
  messageId: newUuid(),
  messageType: 'Boiled',
  payload: { pot },
  timestamp: new Date().toISOString(),
  v: 1,
});

test('hosts that it blocks before they are ready are replaced, and its event is parked', () =>
  withMigratedDatabase(async ({ url, openStore }) => {
    await openStore().append(newUuid(), boiled('burnt'));
    const env = { DATABASE_URL: url, ...impatient };
    await withSupervisor({ args: afterTwo, env, source: slowKitchen }, async (supervisor) => {
      await supervisor.until(allRun);
      const aside = () => rowsOf(url, 'SELECT state, error FROM svc_stuck_work');
      await until(async () => (await aside()).length > 0, 120_000);
      assert.equal(await aside(), [
        [
          'parked',
          'quarantined: reaction serve is in quarantine because it blocked this service repeatedly.',
        ],
      ]);
      assert.match(
        supervisor.output.stdout.join(''),
        /before it was ready because its event loop was blocked by reaction serve/,
      );
    });
  }));
