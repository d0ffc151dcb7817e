import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { until } from '../../runtime/kit/until.js';
import { withMigrating, lines, eventsIn, ledgerIn } from '../testing/migrating-host.js';

const test = suite('migration of a host that is killed');

test('a host that is killed while it migrates leaves its progress, and the next one completes the batch', () =>
  withMigrating(async ({ host, database, goOn, startAgain }) => {
    await until(async () => (await eventsIn(database)).at(-1)?.[1] === 'migrations/2-long.sql');
    await host.kill('SIGKILL');
    const left = await eventsIn(database);
    assert.equal(
      [left[0], ...left.slice(-3)],
      [
        ['MigrationBatchStarted', null, null],
        ['MigrationItemStarted', 'migrations/1-loaves.sql', null],
        ['MigrationItemCompleted', 'migrations/1-loaves.sql', '1'],
        ['MigrationItemStarted', 'migrations/2-long.sql', null],
      ],
    );
    assert.equal(await ledgerIn(database), [['migrations/1-loaves.sql', '1']]);
    await goOn();
    const next = startAgain();
    await until(() => lines(next).some(({ msg }) => msg === 'listening'), 60_000);
    const [, ...after] = (await eventsIn(database)).slice(left.length - 1);
    assert.equal(after.slice(0, 3), [
      ['MigrationItemFailed', 'migrations/2-long.sql', '-1'],
      ['MigrationBatchCompleted', null, null],
      ['MigrationBatchStarted', null, null],
    ]);
    const results = await query(
      database,
      `SELECT r ->> 'migrationKey', r ->> 'status', r ->> 'statusDescription' FROM (SELECT data FROM svc_system_stream
          WHERE event_type = 'MigrationBatchCompleted' ORDER BY stream_position LIMIT 1) b,
        jsonb_array_elements(data -> 'results') r WHERE r ->> 'migrationKey' LIKE 'migrations/%'`,
    );
    assert.equal(results, [
      ['migrations/1-loaves.sql', '1', 'applied for the first time'],
      ['migrations/2-long.sql', '-1', 'the process ended before it was done'],
      ['migrations/3-buns.sql', '-1', 'not run: the process ended'],
    ]);
    assert.equal(await ledgerIn(database), [
      ['migrations/1-loaves.sql', '3'],
      ['migrations/2-long.sql', '1'],
      ['migrations/3-buns.sql', '1'],
    ]);
    assert.equal(await query(database, 'SELECT count(*) FROM svc_migration_batches'), [['0']]);
  }));
