import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { oncePerFrozen } from './once-per-frozen.js';

const test = suite('once per frozen');

test('a frozen object is computed once, one that can change each time', () => {
  const lengthOf = oncePerFrozen((list: readonly number[]) => ({ length: list.length }));
  const frozen = Object.freeze([1, 2]);
  assert.is(lengthOf(frozen), lengthOf(frozen));
  const open = [1, 2];
  const before = lengthOf(open);
  open.push(3);
  assert.equal([before, lengthOf(open)], [{ length: 2 }, { length: 3 }]);
});
