import { DatabaseError } from 'pg';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  isTransient,
  plainSqlMessageOf,
  refusesWrites,
  sqlFailureOf,
  sqlStateOf,
  storeUnavailable,
} from './sql-error.js';

const test = suite('sql error');

test('a statement with bad data can never succeed', () => {
  for (const code of ['22021', '22P02', '22008', '23502', '23514', '54001'])
    assert.is(sqlFailureOf(errorWith(code)), 'data');
});

test('an id that is already stored is distinguished from bad data', () => {
  assert.is(sqlFailureOf(errorWith('23505')), 'taken');
});

test('a server that refuses may accept later', () => {
  for (const code of ['40001', '40P01', '42501', '53300', '57014', 'P0001'])
    assert.is(sqlFailureOf(errorWith(code)), 'refused');
});

for (const [server, code] of [
  ['that is read-only', '25006'],
  ['whose store has moved', 'SV003'],
] as const)
  test(`a server ${server} refuses only for itself, and the failure is transient`, () => {
    assert.is(sqlFailureOf(errorWith(code)), 'read-only');
    assert.ok(isTransient(errorWith(code)));
    assert.ok(refusesWrites(storeUnavailable(errorWith(code))));
  });

test('a statement that was never sent has no outcome', () => {
  assert.is(sqlFailureOf(storeUnavailable(new Error('not queryable'))), 'unsent');
});

test('after a lost connection the outcome is unknown', () => {
  for (const code of ['08006', '08P01', '57P01', '57P02', '57P03'])
    assert.is(sqlFailureOf(errorWith(code)), 'lost');
  assert.is(sqlFailureOf(new Error('Connection terminated unexpectedly')), 'lost');
  assert.is(sqlFailureOf(errorWith(undefined)), 'lost');
  assert.is(sqlFailureOf('no error at all'), 'lost');
});

test('the state of an error is the code of the server', () => {
  assert.is(sqlStateOf(errorWith('42501')), '42501');
  assert.is(sqlStateOf(new Error('other')), undefined);
});

test('a store that cannot be reached may be retried, and keeps the cause for the log', () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:5432');
  const problem = storeUnavailable(cause);
  assert.is(problem.code, 'store-unavailable');
  assert.is(problem.status, 503);
  assert.is(problem.retryAfter, 1);
  assert.is(problem.cause, cause);
  assert.not.match(problem.detail ?? '', 'ECONNREFUSED');
});

test('a server that answers is not called out of reach: the text says what it lacks', () => {
  const textOf = (code: string) => storeUnavailable(errorWith(code)).detail ?? '';
  assert.match(textOf('53100'), 'The disk of the database is full');
  assert.match(textOf('53300'), 'accepts no more connections');
  assert.match(textOf('53200'), 'out of memory');
  assert.match(textOf('57P03'), 'cannot be reached');
});

test('a full disk refuses writes as a read-only server does', () => {
  for (const code of ['25006', '53100']) {
    assert.ok(refusesWrites(errorWith(code)));
    assert.ok(refusesWrites(storeUnavailable(errorWith(code))));
  }
  assert.not(refusesWrites(errorWith('53300')));
});

test('a quoted value in a server error is replaced by its length', () => {
  const error = errorWith('22P02');
  error.message = 'invalid input syntax for type numeric: "sword"fish"';
  assert.is(plainSqlMessageOf(error), 'invalid input syntax for type numeric: a text of 10 characters');
  const other = errorWith('23514');
  other.message = 'new row for relation "loaves" violates check constraint "few"';
  assert.is(plainSqlMessageOf(other), other.message);
});

function errorWith(code: string | undefined): DatabaseError {
  const error = new DatabaseError('refused', 7, 'error');
  error.code = code;
  return error;
}
