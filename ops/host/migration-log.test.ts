import * as assert from 'uvu/assert';
import { MigrationItemStarted } from '../../contracts/events/migration.js';
import { MigrationStrategy } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { log } from '../../runtime/logging/log.js';
import { until } from '../../runtime/kit/until.js';
import { MigrationLog } from './migration-log.js';

const test = suite('log of migrations');

const started = new MigrationItemStarted({
  streamId: newUuid(),
  migrationKey: 'migrations/001-opening-hours.sql',
  strategy: MigrationStrategy.DirectDdl,
  oldHash: null,
  newHash: 'abc',
});

let logged: { readonly seconds: number; readonly tick: number }[];
let ticks: number;
const before = { info: log.info, now: Date.now };

test.before.each(() => {
  logged = [];
  ticks = 0;
  log.info = (...[facts]: readonly unknown[]) =>
    void logged.push({ seconds: (facts as { readonly seconds: number }).seconds, tick: ticks });
});

test.after.each(() => {
  log.info = before.info;
  Date.now = before.now;
});

test('a migration is logged once it has run for a second, and not when it has just begun', async () => {
  const migrations: MigrationLog = new MigrationLog(() => {
    // It begins at the very moment of a tick.
    if (++ticks === 2) migrations.watch(started);
  });
  try {
    await until(() => logged.length > 0);
    assert.ok((logged[0]?.seconds ?? 0) >= 1, `logged after ${logged[0]?.seconds} s`);
  } finally {
    migrations.stop();
  }
});

test('a tick that comes late does not skip the line of a running migration', async () => {
  const migrations: MigrationLog = new MigrationLog(() => {
    if (++ticks === 2) migrations.watch(started);
    if (ticks === 3) Date.now = () => before.now() + 2_500;
  });
  try {
    await until(() => logged.length > 0);
    assert.is(logged[0]?.tick, 3);
  } finally {
    migrations.stop();
  }
});
