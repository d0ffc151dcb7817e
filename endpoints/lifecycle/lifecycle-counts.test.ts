import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { LifecycleCounts, type LifecycleAggregate, mergeAggregates } from './lifecycle-counts.js';
import { quantileMs } from './duration-buckets.js';
import { edgeNumber, type LifecycleState, stateNumber, type Trigger } from './lifecycle-machine.js';

const test = suite('lifecycle aggregates');

type Leg = readonly [trigger: Trigger, to: LifecycleState, us: number];

function pass(counts: LifecycleCounts, legs: readonly Leg[]): void {
  counts.begin();
  let from: LifecycleState = 'checking';
  for (const [trigger, to, us] of legs) {
    counts.count(edgeNumber(stateNumber(from), trigger, to), us);
    from = to;
  }
}

const completes = (us: number): Leg[] => [
  ['passed', 'dispatching', 1],
  ['succeeded', 'completed', us],
];

const stateOf = (aggregate: LifecycleAggregate, state: LifecycleState) =>
  aggregate.states.find((one) => one.state === state);

test('counts show how many requests entered a state and how many are still in it', () => {
  const counts = new LifecycleCounts('BakeBread');
  pass(counts, completes(500));
  pass(counts, [['passed', 'dispatching', 1]]);
  pass(counts, []);
  const aggregate = counts.aggregate();
  assert.is(aggregate.started, 3);
  const seen = (['checking', 'dispatching', 'completed', 'failed'] as const).map((state) => {
    const { entered, inFlight } = stateOf(aggregate, state) ?? {};
    return [state, entered, inFlight];
  });
  assert.equal(seen, [
    ['checking', 3, 1],
    ['dispatching', 2, 1],
    ['completed', 1, 0],
    ['failed', 0, 0],
  ]);
});

test('each edge has the time spent before it was taken, and a state the times of all its edges', () => {
  const counts = new LifecycleCounts('BakeBread');
  for (let n = 0; n < 99; n++) pass(counts, completes(1_000));
  pass(counts, [
    ['passed', 'dispatching', 1],
    ['failed', 'failed', 80_000],
  ]);
  const aggregate = counts.aggregate();
  const failing = aggregate.edges.find(({ from, to }) => from === 'dispatching' && to === 'failed');
  assert.is(failing?.durations.count, 1);
  assert.is(failing?.durations.sumMs, 80);
  const dispatching = stateOf(aggregate, 'dispatching')?.durations;
  assert.is(dispatching?.count, 100);
  assert.ok(dispatching !== undefined);
  assert.is(Math.round(quantileMs(dispatching, 0.5) ?? 0), 1);
  assert.ok((quantileMs(dispatching, 1) ?? 0) > 75);
});

test('commands can be combined', () => {
  const [bread, cake] = [new LifecycleCounts('BakeBread'), new LifecycleCounts('BakeCake')];
  pass(bread, completes(10));
  pass(cake, completes(20));
  pass(cake, []);
  const all = mergeAggregates('', [bread.aggregate(), cake.aggregate()]);
  assert.is(all.started, 3);
  assert.is(stateOf(all, 'completed')?.entered, 2);
  assert.is(stateOf(all, 'checking')?.inFlight, 1);
});
