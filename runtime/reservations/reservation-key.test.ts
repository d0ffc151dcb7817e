import * as assert from 'uvu/assert';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { reservationKey } from './reservation-key.js';

const test = suite('reservation key');

const keyOf = reservationKey(Buffer.alloc(32, 1));

test('the same value of the same tenant and name has the same key, forever', () => {
  assert.is(keyOf('harbour', 'email', 'ada@example.com'), keyOf('harbour', 'email', 'ada@example.com'));
  assert.is(keyOf('harbour', 'email', 'ada@example.com'), 'ed1768d2-e446-8a3a-9740-318ec12cadd2');
  assert.ok(isUuid(keyOf(undefined, 'email', 'ada@example.com')));
});

test('another tenant, name, value or store has another key', () => {
  const keys = [
    keyOf('harbour', 'email', 'ada@example.com'),
    keyOf(undefined, 'email', 'ada@example.com'),
    keyOf('', 'email', 'ada@example.com'),
    keyOf('harbours', 'email', 'ada@example.com'),
    keyOf('harbour', 'email', 'Ada@example.com'),
    reservationKey(Buffer.alloc(32, 2))('harbour', 'email', 'ada@example.com'),
  ];
  assert.is(new Set(keys).size, keys.length);
});
