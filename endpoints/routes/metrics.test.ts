import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { createMetrics } from '../../runtime/metrics/metrics.js';
import { metricsRoute } from './metrics.js';

const test = suite('metrics route');

test('GET /metrics returns the current metrics', async () => {
  const metrics = createMetrics();
  let loaves = 0;
  metrics.add({ name: 'loaves_total', help: 'Loaves.', type: 'counter', read: () => [{ value: ++loaves }] });
  const app = fastify();
  metricsRoute(metrics)(app);
  await app.inject('/metrics');
  const { body, headers } = await app.inject('/metrics');
  assert.match(body, /^loaves_total 2$/m);
  assert.match(String(headers['content-type']), 'text/plain; version=0.0.4');
});
