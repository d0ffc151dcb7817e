import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Histogram } from './histogram.js';
import { aggregatedText, createMetrics, type MetricFamily } from './metrics.js';

const test = suite('metrics');

const loaves = (baked: number): MetricFamily => ({
  name: 'bakery_loaves_total',
  help: 'Loaves that came out of the oven.',
  type: 'counter',
  read: () => [{ labels: { flour: 'rye "dark"' }, value: baked }],
});

test('a metric is read only on request', async () => {
  let baked = 0;
  const metrics = createMetrics();
  metrics.add({ ...loaves(0), read: () => [{ value: ++baked }] });
  assert.is(baked, 0);
  assert.match(await metrics.text(), /^bakery_loaves_total 1$/m);
});

test('name, help, type and labels are in the Prometheus format', async () => {
  const metrics = createMetrics();
  metrics.add(loaves(7));
  const text = await metrics.text();
  assert.ok(
    text.includes(`# HELP bakery_loaves_total Loaves that came out of the oven.
# TYPE bakery_loaves_total counter
bakery_loaves_total{flour="rye \\"dark\\""} 7
`),
    text.slice(0, 300),
  );
});

test('a histogram has its buckets, its sum and its count', async () => {
  const seconds = new Histogram([0.1, 1]);
  for (const value of [0.05, 0.5, 5]) seconds.observe(value);
  const metrics = createMetrics();
  metrics.add({
    name: 'bakery_bake_seconds',
    help: 'Time in the oven.',
    type: 'histogram',
    read: () => [{ labels: { oven: 'left' }, value: seconds.read() }],
  });
  assert.ok(
    (await metrics.text()).includes(`bakery_bake_seconds_bucket{le="0.1",oven="left"} 1
bakery_bake_seconds_bucket{le="1",oven="left"} 2
bakery_bake_seconds_bucket{le="+Inf",oven="left"} 3
bakery_bake_seconds_sum{oven="left"} 5.55
bakery_bake_seconds_count{oven="left"} 3
`),
  );
});

test('one metric that cannot be read does not hide the others', async () => {
  const metrics = createMetrics();
  metrics.add(
    {
      ...loaves(0),
      name: 'bakery_broken_total',
      read: () => {
        throw new RangeError('no oven');
      },
    },
    loaves(3),
  );
  assert.match(await metrics.text(), /bakery_loaves_total\{.*\} 3/);
});

test('the process itself is measured too', async () => {
  assert.match(await createMetrics().text(), /^process_cpu_seconds_total \d/m);
});

test('several hosts become one: counters are added up, gauges are aggregated as declared', async () => {
  const snapshots = await Promise.all(
    [3, 4].map((figure) => {
      const metrics = createMetrics();
      const ready: MetricFamily = {
        name: 'bakery_ready',
        help: 'Whether it is open.',
        type: 'gauge',
        aggregator: 'min',
        read: () => [{ value: figure }],
      };
      metrics.add(loaves(figure), ready);
      return metrics.snapshot();
    }),
  );
  // As if they had arrived from other processes.
  const text = await aggregatedText(JSON.parse(JSON.stringify(snapshots)) as typeof snapshots);
  assert.match(text, /bakery_loaves_total\{.*\} 7/);
  assert.match(text, /^bakery_ready 3$/m);
});
