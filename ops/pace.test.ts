import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paceText } from './pace.js';

const test = suite('pace');

test('it says how many per second, and how long it will take', () => {
  assert.is(paceText(50_000, 200_000, 1_000), '50,000/s, 3 s left');
  assert.is(paceText(1_000, 91_000, 1_000), '1,000/s, 1 min 30 s left');
});

test('it says nothing before it knows anything', () => {
  assert.is(paceText(0, 10, 5_000), '');
  assert.is(paceText(5, 10, 100), '');
});

test.run();
