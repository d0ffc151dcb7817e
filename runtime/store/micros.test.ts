import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { microsOf, timestampOfMicros } from './micros.js';

const test = suite('microseconds');

test('a time keeps its microseconds, whatever its offset', () => {
  assert.is(microsOf('1970-01-01T00:00:01.000002Z'), 1_000_002n);
  assert.is(microsOf('1970-01-01T02:00:01.5+02:00'), 1_500_000n);
  assert.is(microsOf('1970-01-01T00:00:00Z'), 0n);
});

test('digits beyond microseconds are dropped', () => {
  assert.is(microsOf('1970-01-01T00:00:00.123456789Z'), 123_456n);
});

test('a time before 1970 keeps its microseconds', () => {
  assert.is(microsOf('1969-12-31T23:59:59.999999Z'), -1n);
  assert.is(timestampOfMicros(-1n), '1969-12-31T23:59:59.999999Z');
});

test('written and read, a time stays the same', () => {
  const time = '2026-11-15T18:00:00.000042Z';
  assert.is(timestampOfMicros(microsOf(time)), time);
});
