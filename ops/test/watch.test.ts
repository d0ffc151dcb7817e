import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { affectedBy } from './watch.js';

test('A change runs the tests that need it, directly or by what they import, and no other', () => {
  const imports = new Map([
    ['a.test.js', ['a.js']],
    ['b.test.js', ['b.js']],
    ['a.js', ['shared.js']],
    ['b.js', []],
    ['shared.js', []],
  ]);
  const tests = ['a.test.js', 'b.test.js'];
  assert.equal(affectedBy(new Set(['shared.js']), tests, imports), ['a.test.js']);
  assert.equal(affectedBy(new Set(['b.test.js']), tests, imports), ['b.test.js']);
  assert.equal(affectedBy(new Set(['c.js']), tests, imports), []);
});

test.run();
