import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onOneLine } from './periodic-check.js';

const test = suite('health check');

test('an error is shown by the first line of its message', () => {
  assert.is(onOneLine(new RangeError('no flour\n    at bake')), 'no flour');
});

test('an error without a message is shown by its code or its name', () => {
  assert.is(onOneLine(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })), 'ECONNREFUSED');
  assert.is(onOneLine(new RangeError()), 'RangeError');
});

test('user information in a URL is not repeated, and a long message is cut', () => {
  assert.is(onOneLine('amqp://baker:secret@oven:5672 is gone'), 'amqp://oven:5672 is gone');
  assert.is(onOneLine('x'.repeat(999)).length, 200);
});

test.run();
