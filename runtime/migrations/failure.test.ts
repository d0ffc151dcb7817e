import { DatabaseError } from 'pg';
import * as assert from 'uvu/assert';
import { MigrationFailureReason } from '../../contracts/migration.js';
import { suite } from '../../contracts/testing/suite.js';
import { during, failureOf, MigrationFailure, type MigrationStage } from './failure.js';

const test = suite('migration failure');

function refusedBy(code: string): DatabaseError {
  const error = new DatabaseError('the server\nsays no', 1, 'error');
  error.code = code;
  return error;
}

for (const [code, stage, reason] of [
  ['42P01', 'ddl', 'SqlError'],
  ['57014', 'ddl', 'Timeout'],
  ['55P03', 'expanding', 'Timeout'],
  ['42804', 'ddl', 'ColumnTypeMismatch'],
  ['42846', 'expanding', 'ColumnTypeMismatch'],
  ['22P02', 'copying', 'DataCopyFailed'],
  ['23514', 'copying', 'DataCopyFailed'],
  ['22P02', 'ddl', 'SqlError'],
  ['55P03', 'swapping', 'SwapFailed'],
  ['2BP01', 'swapping', 'SwapFailed'],
] as const satisfies readonly (readonly [string, MigrationStage, keyof typeof MigrationFailureReason])[]) {
  test(`${code} while ${stage} is ${reason}`, () => {
    assert.is(failureOf(refusedBy(code), stage).reason, MigrationFailureReason[reason]);
  });
}

test('an error that is not from the server is Unknown', () => {
  assert.is(failureOf(new TypeError('oh'), 'ddl').reason, MigrationFailureReason.Unknown);
});

test('a failure is reported on one line, and keeps its first reason', async () => {
  const failure = await during('swapping', () =>
    during('copying', () => Promise.reject(refusedBy('22P02'))),
  ).catch((error: unknown) => error);
  assert.ok(failure instanceof MigrationFailure);
  assert.is(failure.reason, MigrationFailureReason.DataCopyFailed);
  assert.is(failure.message, 'the server says no');
});
