import * as assert from 'uvu/assert';
import { flattenPath, pointerStep } from './json-pointer.js';
import { suite } from './testing/suite.js';

const test = suite('json pointer');

test('a name is escaped as RFC 6901 requires', () => {
  assert.is(pointerStep('a/b~c'), 'a~1b~0c');
  assert.is(pointerStep('~1'), '~01');
  assert.is(pointerStep('quantity'), 'quantity');
});

test('a name longer than any declared one is truncated, and its length is given', () => {
  assert.is(pointerStep('k'.repeat(128)).length, 128);
  assert.is(pointerStep('k'.repeat(500_000)), `${'k'.repeat(64)}...500000`);
});

test('a flattened path is the same path', () => {
  for (const path of ['', '/a', `/${'a/'.repeat(100)}b`]) assert.is(flattenPath(path), path);
});
