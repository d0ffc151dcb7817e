import * as assert from 'uvu/assert';
import { MigrationFailureReason, MigrationStatus, MigrationStrategy } from './migration.js';
import { suite } from './testing/suite.js';

const test = suite('migration');

test('a status is recorded as its number', () => {
  assert.equal(MigrationStatus, {
    Applied: 1,
    Updated: 2,
    Skipped: 3,
    MigratingInBackground: 4,
    Failed: -1,
  });
});

test('a migration runs as direct DDL, as a column copy or as an event replay', () => {
  assert.equal(Object.entries(MigrationStrategy), [
    ['DirectDdl', 'DirectDdl'],
    ['ColumnCopy', 'ColumnCopy'],
    ['EventReplay', 'EventReplay'],
  ]);
});

test('a failure reason is recorded as its number', () => {
  assert.equal(MigrationFailureReason, {
    Unknown: 0,
    SqlError: 1,
    Timeout: 2,
    ColumnTypeMismatch: 3,
    DataCopyFailed: 4,
    SwapFailed: 5,
  });
});
