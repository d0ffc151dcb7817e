import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { redactError } from './recorded-error.js';

const test = suite('redacted errors');

test('an error is shown by its name and code, never by its message', () => {
  assert.equal(redactError(new Problem('stream-conflict', { detail: 'secret' })), {
    name: 'Problem',
    code: 'stream-conflict',
  });
  assert.equal(redactError(new TypeError('secret')), { name: 'TypeError', code: undefined });
});

test('a name or code that does not look like one is redacted', () => {
  const error = Object.assign(new Error('x'), { name: 'card 4111 1111', code: 'a\nb' });
  assert.equal(redactError(error), { name: '[redacted]', code: '[redacted]' });
});

test('an error whose members throw is shown without them', () => {
  const error = Object.defineProperty(new Error('x'), 'name', {
    get: () => {
      throw new Problem('unexpected');
    },
  });
  assert.equal(redactError(error), { name: '[redacted]', code: undefined });
});

test('of a value that is not an error only its type is shown', () => {
  assert.equal(redactError('secret'), { name: 'string', code: undefined });
});
