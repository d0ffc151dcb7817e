import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MigrationItemStarted } from '../../contracts/events/migration.js';
import { MigrationStrategy } from '../../contracts/migration.js';
import { newUuid } from '../../contracts/uuid.js';
import { log } from '../../runtime/log.js';
import { until } from '../../runtime/testing/until.js';
import { MigrationLog } from './migration-log.js';

const test = suite('log of migrations');

const started = new MigrationItemStarted({
  streamId: newUuid(),
  migrationKey: 'migrations/001-opening-hours.sql',
  strategy: MigrationStrategy.DirectDdl,
  oldHash: null,
  newHash: 'abc',
});

test('a migration is logged once it has run for a second, and not when it has just begun', async () => {
  const logged: unknown[] = [];
  const before = log.info;
  log.info = (...[facts]: readonly unknown[]) =>
    void logged.push((facts as { readonly seconds: number }).seconds);
  let ticks = 0;
  const migrations: MigrationLog = new MigrationLog(() => {
    // It begins at the very moment of a tick.
    if (++ticks === 2) migrations.watch(started);
  });
  try {
    await until(() => logged.length > 0);
    assert.equal(logged, [1]);
  } finally {
    migrations.stop();
    log.info = before;
  }
});

test.run();
