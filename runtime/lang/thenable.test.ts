import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isThenable } from './thenable.js';

const test = suite('thenable');

test('a value with a then method is awaited, any other is not', () => {
  assert.ok(isThenable(Promise.resolve()));
  assert.ok(isThenable({ then: () => undefined }));
  for (const value of [undefined, null, 0, 'then', { then: true }, {}]) assert.not.ok(isThenable(value));
});
