import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { clusterFaultPlan } from './cluster-fault-plan.js';

const test = suite('cluster plan');

const size = { commands: 10_000, natsKills: 5, hostKills: 5, monitorStops: 1 };

test('the same seed gives the same faults, another seed gives others', () => {
  assert.equal(clusterFaultPlan(7, size), clusterFaultPlan(7, size));
  assert.not.equal(clusterFaultPlan(7, size), clusterFaultPlan(8, size));
});

test('every fault happens, one after the other, before the last command', () => {
  for (let seed = 0; seed < 50; seed++) {
    const plan = clusterFaultPlan(seed, size);
    const kinds = plan.map(({ fault }) => fault.kind);
    assert.equal(
      ['kill-nats', 'kill-host', 'stop-monitor'].map((kind) => kinds.filter((one) => one === kind).length),
      [5, 5, 1],
    );
    const positions = plan.map(({ at }) => at);
    assert.equal(
      positions,
      positions.toSorted((a, b) => a - b),
    );
    assert.ok((positions[0] ?? 0) > 0 && (positions.at(-1) ?? 0) < size.commands);
  }
});

test('both hosts are killed', () => {
  const hosts = clusterFaultPlan(7, size).flatMap(({ fault }) =>
    fault.kind === 'kill-host' ? [fault.host] : [],
  );
  assert.equal(new Set(hosts), new Set([0, 1]));
});
