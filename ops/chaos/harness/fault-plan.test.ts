import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { randomFrom } from './seeded-random.js';
import { failpoints, faultPlan, type FaultStep } from './fault-plan.js';

const test = suite('chaos plan');

const first = (seed: number, count: number): FaultStep[] => {
  const steps: FaultStep[] = [];
  for (const step of faultPlan(seed)) if (steps.push(step) === count) break;
  return steps;
};

test('the same seed makes the same plan, another seed another plan', () => {
  assert.equal(first(7, 50), first(7, 50));
  assert.not.equal(first(7, 50), first(8, 50));
});

test('every kind of fault and every failpoint happens', () => {
  const faults = first(1, 1000).map(({ fault }) => fault);
  assert.equal(new Set(faults.map(({ kind }) => kind)).size, 4);
  const names = faults.flatMap((fault) => (fault.kind === 'failpoint' ? [fault.name] : []));
  assert.equal([...new Set(names)].toSorted(), [...failpoints].toSorted());
});

test('with one kind selected, the others are left out', () => {
  const kinds = new Set<string>();
  let count = 0;
  for (const { fault } of faultPlan(7, 'kill')) {
    kinds.add(fault.kind);
    if (++count === 20) break;
  }
  assert.equal([...kinds], ['kill']);
});

test('random numbers lie from 0 to 1 and spread', () => {
  const random = randomFrom(3);
  const drawn = Array.from({ length: 10_000 }, random);
  assert.ok(drawn.every((number) => number >= 0 && number < 1));
  const mean = drawn.reduce((sum, number) => sum + number, 0) / drawn.length;
  assert.ok(Math.abs(mean - 0.5) < 0.02, String(mean));
});
