import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isThenable } from './thenable.js';

const test = suite('thenable');

test('what has a then method is waited for, anything else is there already', () => {
  assert.ok(isThenable(Promise.resolve()));
  assert.ok(isThenable({ then: () => undefined }));
  for (const value of [undefined, null, 0, 'then', { then: true }, {}]) assert.not.ok(isThenable(value));
});

test.run();
