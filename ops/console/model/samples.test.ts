import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { LifecycleFigures } from './lifecycle.js';
import type { RequestItem } from './requests.js';
import { flowBetween, pastSamples, quantile, recentRequests, sampleOf } from './samples.js';

const test = suite('samples');

const figures = (requests: number, failed: number, taken: number): LifecycleFigures => ({
  requests,
  failed,
  crashed: failed,
  rejected: 0,
  replayed: 0,
  states: [],
  edges: [
    { from: 'checking', event: 'passed', to: 'dispatching', count: taken, p50Ms: 1, p99Ms: 2 },
    { from: 'checking', event: 'cancelled', to: 'cancelled', count: 1, p50Ms: 1, p99Ms: 2 },
  ],
});

const at = Date.parse('2026-01-01T00:00:10.000Z');

const ended = (startedAt: string, ms: number): RequestItem => ({
  id: startedAt,
  correlationId: 'c',
  command: 'CreateOrder',
  transport: 'rest',
  outcome: 'completed',
  startedAt,
  ms,
  states: [],
});

const after = (seconds: number, of: LifecycleFigures) => ({ at: at + seconds * 1000, figures: of });
const none = figures(0, 0, 0);

test('a sample holds what happened between two readings', () => {
  const { requests, failed } = sampleOf(after(0, figures(10, 1, 0)), after(1, figures(17, 3, 0)), []);
  assert.equal([requests, failed], [7, 2]);
});

test('a rate is per second, however late the sample is taken', () => {
  const { requests, seconds } = sampleOf(after(0, none), after(8, figures(80, 0, 0)), []);
  assert.equal([requests, seconds], [10, 8]);
});

test('requests without a lifecycle are requests too', () => {
  const { requests, rejected } = sampleOf(
    after(0, none),
    after(1, { ...none, rejected: 537, replayed: 3 }),
    [],
  );
  assert.equal([requests, rejected], [540, 537]);
});

test('the last minute is the sum of its samples', () => {
  const samples = [0, 55, 58, 60].map((seconds) => ({
    ...sampleOf(after(seconds, none), after(seconds + 2, figures(4, 2, 0)), []),
    at: at + seconds * 1000,
  }));
  assert.equal(recentRequests(samples), { seconds: 6, requests: 12, crashed: 6, rejected: 0 });
  assert.equal(recentRequests([]), { seconds: 0, requests: 0, crashed: 0, rejected: 0 });
});

test('a restarted host has no negative rates', () => {
  const { requests, failed } = sampleOf(after(0, figures(10, 3, 0)), after(1, figures(2, 0, 0)), []);
  assert.equal([requests, failed], [0, 0]);
});

test('its times are those of the last ten seconds', () => {
  const latest = [ended('2026-01-01T00:00:09.000Z', 5), ended('2025-12-31T23:59:50.000Z', 900)];
  assert.equal(sampleOf(after(-1, none), after(0, none), latest).p99Ms, 5);
  assert.is(sampleOf(after(-1, none), after(0, none), []).p99Ms, undefined);
});

test('only edges that were taken are animated', () => {
  assert.equal([...flowBetween(figures(0, 0, 4), figures(0, 0, 9))], [['checking passed dispatching', 5]]);
});

test('a quantile is one of the values', () => {
  assert.is(quantile([1, 2, 3, 4], 0.5), 2);
  assert.is(quantile([1, 2, 3, 4], 0.99), 4);
  assert.is(quantile([], 0.5), undefined);
});

test('a page that opens has the rates of the time before, each with the durations known then', () => {
  const counts = (agoMs: number, requests: number) => ({
    agoMs,
    requests,
    failed: 0,
    crashed: 0,
    rejected: 0,
    replayed: 0,
  });
  const past = [counts(4_000, 10), counts(2_000, 14), counts(1_000, 20)];
  const samples = pastSamples(past, at, [ended('2026-01-01T00:00:08.500Z', 100)]);
  assert.equal(
    samples.map((sample) => [sample.at - at, sample.requests, sample.p50Ms]),
    [
      [-2_000, 2, undefined],
      [-1_000, 6, 100],
    ],
  );
  assert.equal(pastSamples([], at, []), []);
});
