import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { idempotencyKeyOf } from './idempotency.js';

const test = suite('idempotency key');

test('a key is used as sent, and absent without a header', () => {
  assert.is(idempotencyKeyOf({ 'idempotency-key': 'ship-7' }), 'ship-7');
  assert.is(idempotencyKeyOf({ 'idempotency-key': 'k'.repeat(255) }), 'k'.repeat(255));
  assert.is(idempotencyKeyOf({}), undefined);
});

for (const key of ['', ' ', 'a b', 'k'.repeat(256), 'schlüssel'])
  test(`'${key.slice(0, 20)}' of ${key.length} characters is refused`, () => {
    assert.throws(() => idempotencyKeyOf({ 'idempotency-key': key }), /1 to 255 visible ASCII/);
  });
