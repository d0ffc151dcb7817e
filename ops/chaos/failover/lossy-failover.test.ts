import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRight } from './lossy-failover.js';

const test = suite('reported loss');

test('a loss that nobody recorded is not right', () => {
  assert.not(isRight(undefined, 10, 20));
});

test('a recorded range is right when it is exactly what was lost', () => {
  assert.ok(isRight({ fork: 10, lostTo: 20 }, 10, 20));
  assert.not(isRight({ fork: 10, lostTo: 19 }, 10, 20));
  assert.not(isRight({ fork: 9, lostTo: 20 }, 10, 20));
});

test('a record without a range counts as a report', () => {
  assert.ok(isRight({ lostTo: 18 }, 10, 20));
});

test.run();
