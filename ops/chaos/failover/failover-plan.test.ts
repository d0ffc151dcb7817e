import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { failoverFaults, failoverPlan } from './failover-plan.js';

const test = suite('failover plan');

test('every fault happens as often as there are rounds', () => {
  for (const seed of [1, 2, 3]) {
    const plan = failoverPlan(seed, 4);
    for (const fault of failoverFaults) assert.is(plan.filter((each) => each === fault).length, 4, fault);
  }
});

test('the same seed gives the same order, another one another', () => {
  assert.equal(failoverPlan(7, 3), failoverPlan(7, 3));
  assert.not.equal(failoverPlan(7, 3), failoverPlan(8, 3));
});

test('one fault may be selected', () => {
  assert.equal(failoverPlan(1, 2, ['switchover']), ['switchover', 'switchover']);
});
