import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { reasonOnOneLine } from './reason-on-one-line.js';

const test = suite('reason on one line');

test('an error is shown by the first line of its message', () => {
  assert.is(reasonOnOneLine(new RangeError('no flour\n    at bake')), 'no flour');
});

test('an error without a message is shown by its code or its name', () => {
  assert.is(reasonOnOneLine(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
  assert.is(reasonOnOneLine(new RangeError()), 'RangeError');
});

test('user information in a URL is not repeated, and a long message is cut', () => {
  assert.is(reasonOnOneLine('amqp://baker:secret@oven:5672 is gone'), 'amqp://oven:5672 is gone');
  assert.is(reasonOnOneLine('x'.repeat(999)).length, 200);
  assert.match(reasonOnOneLine('x'.repeat(999)), /x…$/);
  assert.is(reasonOnOneLine('x'.repeat(999), 1_000).length, 999);
});
