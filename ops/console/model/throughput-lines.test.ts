import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { Sample } from './samples.js';
import { throughputLines } from './throughput-lines.js';

const test = suite('throughput lines');

const box = { width: 90, height: 10 };
const sample = (at: number, requests: number, p99Ms?: number): Sample => ({
  at,
  seconds: 1,
  requests,
  failed: 0,
  crashed: 0,
  rejected: 0,
  p50Ms: undefined,
  p99Ms,
});

test('the newest sample is at the right edge, and one older than 90 s is not drawn', () => {
  const lines = throughputLines([sample(9_000, 1), sample(10_000, 10), sample(100_000, 5)], box);
  assert.is(lines.requests, '0.0,0.0 90.0,5.0');
});

test('each scale ends at a round value above the largest', () => {
  const { mostPerSecond, mostMs } = throughputLines([sample(0, 21, 130)], box);
  assert.equal([mostPerSecond, mostMs], [50, 200]);
  const idle = throughputLines([sample(0, 0)], box);
  assert.equal([idle.mostPerSecond, idle.mostMs], [5, 10]);
});

test('a second without requests has no duration to draw', () => {
  const { slowest } = throughputLines([sample(0, 1, 5), sample(45_000, 0), sample(90_000, 1, 10)], box);
  assert.is(slowest, '0.0,5.0 90.0,0.0');
});

test('without samples there are no lines', () => {
  assert.is(throughputLines([], box).requests, '');
});
