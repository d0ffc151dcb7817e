import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { mixedFaultKinds, mixedFaults } from './mixed-faults.js';

const test = suite('mixed faults');

const first = (seed: number, count: number) => {
  const faults = mixedFaults(seed, 2);
  return Array.from({ length: count }, () => faults.next().value);
};

test('a seed gives the same faults again, and another seed others', () => {
  assert.equal(first(7, 50), first(7, 50));
  assert.not.equal(first(7, 50), first(8, 50));
});

test('each kind happens once before any happens again', () => {
  const kinds = first(3, mixedFaultKinds.length).map(({ kind }) => kind);
  assert.equal(kinds.toSorted(), [...mixedFaultKinds].toSorted());
});
