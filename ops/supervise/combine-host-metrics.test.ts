import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { createMetrics, type MetricsSnapshot } from '../../runtime/metrics/metrics.js';
import { HostMetrics } from './combine-host-metrics.js';

const test = suite('combined metrics of hosts');

const snapshotOf = (loaves: number): Promise<MetricsSnapshot> => {
  const metrics = createMetrics();
  const read = () => [{ value: loaves }];
  metrics.add(
    { name: 'bakery_loaves_total', help: 'Loaves baked.', type: 'counter', read },
    { name: 'bakery_ovens', help: 'Ovens that are hot.', type: 'gauge', read },
  );
  return metrics.snapshot();
};

/** A host that has counted so much; unset: it does not answer. */
const host = (name: string, pid: number, loaves?: number) => ({
  status: { name, pid, memory: 1, state: 'running' as const, since: 0, restarts: 0 },
  metrics: async () => (loaves === undefined ? undefined : snapshotOf(loaves)),
});

const figures = (text: string | undefined): readonly number[] =>
  ['bakery_loaves_total', 'bakery_ovens'].map((name) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '')?.[1] ?? Number.NaN),
  );

test('a sum does not fall when hosts are replaced, removed or too busy to answer; gauges are of those that answer', async () => {
  let hosts = [host('north-1', 11, 2), host('north-2', 12, 3)];
  const metrics = new HostMetrics(() => hosts);
  const total = async (...present: typeof hosts) => {
    hosts = present;
    return figures(await metrics.text(undefined));
  };
  assert.equal(await total(...hosts), [5, 5]);
  assert.equal(await total(host('north-1', 11), host('north-2', 12, 4)), [6, 4]);
  assert.equal(await total(host('north-1', 21, 0), host('north-2', 12, 4)), [6, 4]);
  assert.equal(await total(host('north-1', 21, 1), host('north-2', 12, 4)), [7, 5]);
  assert.equal(await total(host('north-1', 21, 1)), [7, 1]);
  assert.equal(await total(host('north-1', 21, 2)), [8, 2]);
  assert.equal(figures(await metrics.text('north-1')), [2, 2], 'one host has its own count');
});

test('a host that is replaced while two requests read the metrics is counted once', async () => {
  let hosts = [host('north-1', 11, 2)];
  const metrics = new HostMetrics(() => hosts);
  assert.equal(figures(await metrics.text(undefined)), [2, 2]);
  const released: (() => void)[] = [];
  const slow = {
    ...host('north-1', 11),
    metrics: async () => {
      await new Promise<void>((resolve) => released.push(resolve));
      return snapshotOf(2);
    },
  };
  hosts = [slow];
  const first = metrics.text(undefined);
  hosts = [host('north-1', 21, 1)];
  assert.equal(figures(await metrics.text(undefined)), [3, 1]);
  for (const release of released) release();
  assert.is(figures(await first)[0], 3);
  assert.equal(figures(await metrics.text(undefined)), [3, 1]);
});
