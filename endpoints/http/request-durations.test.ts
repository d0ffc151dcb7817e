import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Distribution } from '../../runtime/histogram.js';
import { RequestDurations, timeRoutes } from './request-durations.js';

const test = suite('request durations');

const countsOf = (times: RequestDurations): readonly unknown[] =>
  [...times.family.read()].map(({ labels, value }) => [
    ...Object.values(labels ?? {}),
    (value as Distribution).count,
  ]);

test('answers are counted by method, route and status', () => {
  const times = new RequestDurations();
  const note = times.of('POST', '/bread');
  note(200, 0.002);
  note(200, 0.004);
  note(409, 0.001);
  assert.equal(countsOf(times), [
    ['POST', '/bread', '200', 2],
    ['POST', '/bread', '409', 1],
  ]);
});

test('a route is one series, however often it is requested', () => {
  const times = new RequestDurations();
  times.of('POST', '/bread')(200, 1);
  times.of('POST', '/bread')(200, 1);
  assert.equal(countsOf(times), [['POST', '/bread', '200', 2]]);
});

test('a route is labeled by its pattern, and one that observes its own answers is left alone', async () => {
  const times = new RequestDurations();
  const app = fastify();
  timeRoutes(app, times);
  app.get('/bread/:id', () => 'rye');
  app.post('/bread', { config: { isTimed: true } }, () => 'baked');
  await app.inject('/bread/7');
  await app.inject('/bread/8');
  await app.inject({ method: 'POST', url: '/bread' });
  assert.equal(countsOf(times), [['GET', '/bread/:id', '200', 2]]);
});
