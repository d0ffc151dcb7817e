import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { failureText } from './failure-text.js';

const test = suite('text of a failure');

const textOf = (error: unknown, hook?: string): string =>
  failureText({
    name: 'orders: ships',
    ms: 12.4,
    failures: [hook === undefined ? { error } : { hook, error }],
  });

test('a failure names its test, its time, and the hook it happened in', () => {
  assert.is(textOf('word'), "✗ orders: ships  12 ms\n  'word'\n");
  assert.is(textOf('word', 'after.each'), "✗ orders: ships, after.each  12 ms\n  'word'\n");
});

test('an assertion shows its difference and its place, and nothing of the runner', () => {
  let text = '';
  try {
    assert.equal({ total: 1 }, { total: 2 });
  } catch (error) {
    text = textOf(error);
  }
  assert.match(text, 'Expected values to be deeply equal:  (equal)\n');
  assert.match(text, '--··"total":·1');
  assert.match(text, /failure-text\.test\.ts:\d+/);
  assert.not.match(text, /uvu|worker-process|testing\/suite/);
});

test('any other error is shown with its cause', () => {
  const text = textOf(new RangeError('too many', { cause: new TypeError('not a number') }));
  assert.match(text, /RangeError: too many[^]*TypeError: not a number/);
});
