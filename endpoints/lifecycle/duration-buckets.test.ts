import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  bucketCount,
  bucketOf,
  countBelow,
  type Durations,
  quantileMs,
  sumOf,
  upperBoundUs,
} from './duration-buckets.js';

const test = suite('duration buckets');

function durationsOf(all: readonly number[]): Durations {
  const buckets = new Float64Array(bucketCount);
  for (const us of all) buckets[bucketOf(us)] = (buckets[bucketOf(us)] ?? 0) + 1;
  return { count: all.length, sumMs: all.reduce((sum, us) => sum + us, 0) / 1000, buckets };
}

test('every duration is within the bounds of its bucket', () => {
  for (let us = 0; us < 2 ** 31; us = us < 5_000 ? us + 1 : Math.floor(us * 1.01)) {
    const bucket = bucketOf(us);
    assert.ok(us < upperBoundUs(bucket), `${us} is below the end of ${bucket}`);
    assert.ok(bucket === 0 || us >= upperBoundUs(bucket - 1), `${us} is not below the start of ${bucket}`);
  }
});

test('durations over half an hour, or below zero, have a bucket too', () => {
  assert.is(bucketOf(1e15), bucketCount - 1);
  assert.is(bucketOf(-3), 0);
});

test('a quantile is at most 7 % off', () => {
  const durations = durationsOf(Array.from({ length: 10_000 }, (_, n) => n + 1));
  for (const quantile of [0.01, 0.5, 0.9, 0.99]) {
    const exactMs = (quantile * 10_000) / 1000;
    const ratio = (quantileMs(durations, quantile) ?? 0) / exactMs;
    assert.ok(ratio > 0.93 && ratio < 1.07, `${quantile}: ${ratio}`);
  }
});

test('without measurements there is no quantile', () => {
  assert.is(quantileMs(durationsOf([]), 0.5), undefined);
});

test('powers of two are bucket bounds, so that a count below one is exact', () => {
  const durations = durationsOf([1, 1023, 1024, 1025, 4_000_000]);
  assert.is(countBelow(durations, 1024), 2);
  assert.is(countBelow(durations, 2048), 4);
  assert.is(countBelow(durations, 2 ** 30), 5);
});

test('durations add up', () => {
  const sum = sumOf([durationsOf([10, 20]), durationsOf([30])]);
  assert.equal(sum, durationsOf([10, 20, 30]));
});
