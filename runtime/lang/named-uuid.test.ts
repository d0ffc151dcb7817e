import * as assert from 'uvu/assert';
import { isUuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { namedUuid } from './named-uuid.js';

const test = suite('Named ids');

test('the same texts give the same UUIDv8', () => {
  const id = namedUuid('reminder', '42');
  assert.is(id, namedUuid('reminder', '42'));
  assert.ok(isUuid(id));
  assert.match(id, /^.{14}8.{4}[89ab]/);
});

test('texts do not run into each other', () => {
  assert.is.not(namedUuid('ab', 'c'), namedUuid('a', 'bc'));
  assert.is.not(namedUuid('a","b'), namedUuid('a', 'b'));
});
