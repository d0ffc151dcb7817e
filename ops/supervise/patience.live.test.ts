import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { impatient, withSupervisor } from '../testing/spawned-supervisor.js';
import { kitchen, boil } from '../testing/blocking-kitchen.js';

const test = suite('a command that blocks the event loop');

test('a host with a longer patience is left alone', () =>
  withStore((database) =>
    withSupervisor(
      { env: { DATABASE_URL: database, ...impatient }, source: kitchen, args: ['--patience', '60000'] },
      async (supervisor) => {
        const before = (await supervisor.status()).hosts.map(({ pid }) => pid);
        assert.is((await boil(supervisor.url, 'busy')).status, 200);
        assert.equal(
          (await supervisor.status()).hosts.map(({ pid }) => pid),
          before,
        );
      },
    ),
  ));
