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

test('of some kinds only these happen', () => {
  const faults = mixedFaults(7, 2, ['kill a host', 'kill the broker']);
  const kinds = Array.from({ length: 20 }, () => faults.next().value.kind);
  assert.equal([...new Set(kinds)].toSorted(), ['kill a host', 'kill the broker']);
});
