import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Distribution } from '../../runtime/metrics/histogram.js';
import { LifecycleCounts } from './lifecycle-counts.js';
import { edges } from './lifecycle-machine.js';
import { lifecycleMetrics } from './lifecycle-metrics.js';

const test = suite('lifecycle metrics');

const edge = (from: string, to: string) => edges.findIndex((one) => one.from === from && one.to === to);

/** Two loaves were baked, and one is in the oven. */
function bakery(): LifecycleCounts {
  const counts = new LifecycleCounts('BakeBread');
  for (let loaf = 0; loaf < 3; loaf++) {
    counts.begin();
    counts.count(edge('checking', 'dispatching'), 0);
  }
  counts.count(edge('dispatching', 'completed'), 100);
  counts.count(edge('dispatching', 'completed'), 3_000);
  return counts;
}

const samplesOf = (name: string) => {
  const counts = bakery();
  const family = lifecycleMetrics(() => [counts.aggregate()]).find((one) => one.name === name);
  return [...(family?.read() ?? [])];
};

test('every outcome of every command is exported, also one that never occurred', () => {
  assert.equal(
    samplesOf('svc_commands_total').map(({ labels, value }) => [labels?.['outcome'], value]),
    [
      ['completed', 2],
      ['recovered', 0],
      ['cancelled', 0],
      ['failed', 0],
    ],
  );
});

test('the time in a state is a histogram in seconds', () => {
  const [dispatching] = samplesOf('svc_lifecycle_state_duration_seconds').flatMap(({ labels, value }) =>
    labels?.['state'] === 'dispatching' ? [value as Distribution] : [],
  );
  const { below = [], count, sum } = dispatching ?? {};
  assert.equal([count, sum], [2, 0.0031]);
  assert.equal(below.slice(0, 4), [
    [0.000128, 1],
    [0.000512, 1],
    [0.002048, 1],
    [0.008192, 2],
  ]);
});

test('requests in flight are counted by their state', () => {
  const inFlight = samplesOf('svc_lifecycle_inflight').filter(({ value }) => value !== 0);
  assert.equal(inFlight, [{ labels: { command: 'BakeBread', state: 'dispatching' }, value: 1 }]);
});

test('only transitions that happened are exported', () => {
  assert.equal(
    samplesOf('svc_lifecycle_transitions_total').map(({ labels, value }) => [
      labels?.['from'],
      labels?.['to'],
      value,
    ]),
    [
      ['checking', 'dispatching', 3],
      ['dispatching', 'completed', 2],
    ],
  );
});
