import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { descendantsOf } from './left-behind.js';

const test = suite('processes of a run');

test('the descendants of a process are its children and theirs, and no others', () => {
  const all = [
    { pid: 1, parent: 0 },
    { pid: 10, parent: 1 },
    { pid: 11, parent: 10 },
    { pid: 12, parent: 11 },
    { pid: 13, parent: 10 },
    { pid: 20, parent: 1 },
  ];
  assert.equal(
    [...descendantsOf(10, all)].toSorted((a, b) => a - b),
    [11, 12, 13],
  );
  assert.equal(descendantsOf(12, all), []);
});
