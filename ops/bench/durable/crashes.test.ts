import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { compareWithStored } from './crashes.js';

const test = suite('bench crashes');

test('an acknowledged order that is not stored is lost, one that is stored twice is doubled', () => {
  const stored = new Map([
    ['a', 1],
    ['b', 2],
    ['never acknowledged', 1],
  ]);
  assert.equal(compareWithStored(['a', 'b', 'c'], stored), { acknowledged: 3, lost: 1, doubled: 1 });
});
