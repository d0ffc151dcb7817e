import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Distribution } from '../../runtime/metrics/histogram.js';
import { order, withBakery } from '../testing/bakery.js';
import { post } from '../testing/http-client.js';
import { RequestDurations, timeRoutes } from './request-durations.js';

const test = suite('request durations');

const countsOf = (times: RequestDurations): readonly unknown[] =>
  [...times.family.read()].map(({ labels, value }) => [
    ...Object.values(labels ?? {}),
    (value as Distribution).count,
  ]);

test('answers are counted by method, route and status', () => {
  const times = new RequestDurations();
  times.note('POST', '/bread', 200, 0.002);
  times.note('POST', '/bread', 200, 0.004);
  times.note('POST', '/bread', 409, 0.001);
  assert.equal(countsOf(times), [
    ['POST', '/bread', '200', 2],
    ['POST', '/bread', '409', 1],
  ]);
});

test('a route is labeled by its pattern, and one that reports its answers is counted once', async () => {
  const times = new RequestDurations();
  const app = fastify();
  timeRoutes(app, times);
  app.get('/bread/:id', () => 'rye');
  app.post('/bread', { config: { isTimed: true } }, (request) => {
    times.left({ request, status: 200, seconds: 0.001 });
    return 'baked';
  });
  await app.inject('/bread/7');
  await app.inject('/bread/8');
  await app.inject({ method: 'POST', url: '/bread' });
  assert.equal(countsOf(times), [
    ['GET', '/bread/:id', '200', 2],
    ['POST', '/bread', '200', 1],
  ]);
});

test('what a client asks to wait for is no part of the duration of a command', async () => {
  const times = new RequestDurations();
  const from = performance.now();
  let answeredAt = Infinity;
  const caughtUp = async (): Promise<void> => {
    answeredAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await withBakery({ http: { times }, caughtUp }, async ({ url }) => {
    assert.is((await post(url, order, { headers: { prefer: 'wait=5' } })).status, 200);
  });
  const seconds = [...times.family.read()].map(({ value }) => (value as Distribution).sum);
  assert.is(seconds.length, 1);
  assert.ok(Math.max(...seconds) * 1000 <= answeredAt - from);
});
