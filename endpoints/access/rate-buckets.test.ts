import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { RateBuckets, rateFrom } from './rate-buckets.js';

const test = suite('rate buckets');

const takeMany = (buckets: RateBuckets, key: string, count: number, nowMs: number): number =>
  Array.from({ length: count }, () => buckets.take(key, nowMs)).filter(({ isAllowed }) => isAllowed).length;

test('a rate is a number per second, minute or hour', () => {
  assert.equal(rateFrom('100/s'), { limit: 100, windowSeconds: 1 });
  assert.equal(rateFrom('1000/min'), { limit: 1000, windowSeconds: 60 });
  assert.equal(rateFrom('5/h'), { limit: 5, windowSeconds: 3600 });
});

for (const limit of [1, 3, 7, 10, 100, 999]) {
  test(`${limit} at once are allowed and not one more, then they refill evenly`, () => {
    const buckets = new RateBuckets({ limit, windowSeconds: 60 });
    assert.is(takeMany(buckets, 'a', limit + 5, 0), limit);
    assert.is(takeMany(buckets, 'b', 1, 0), 1, 'another key has its own');
    assert.is(takeMany(buckets, 'a', 5, 60_000 / limit + 1), 1);
    assert.is(takeMany(buckets, 'a', limit + 5, 1_000_000), limit);
  });
}

test('it is known how many are left, and when the next is allowed', () => {
  const buckets = new RateBuckets({ limit: 10, windowSeconds: 60 });
  assert.equal(buckets.take('a', 0), { isAllowed: true, remaining: 9, retryAfter: 0, reset: 6 });
  takeMany(buckets, 'a', 9, 0);
  assert.equal(buckets.take('a', 1_000), { isAllowed: false, remaining: 0, retryAfter: 5, reset: 59 });
  assert.equal(buckets.peek('a', 6_000).isAllowed, true);
});

test('a charge may exceed what is left, and is paid back', () => {
  const buckets = new RateBuckets({ limit: 30, windowSeconds: 60 });
  for (let n = 0; n < 100; n++) buckets.charge('a', 0, 3);
  assert.equal(buckets.peek('a', 0), { isAllowed: false, remaining: 0, retryAfter: 6, reset: 64 });
  assert.ok(buckets.peek('a', 6_000).isAllowed);
});

test('the number of buckets is limited, and a full one is not kept', () => {
  const buckets = new RateBuckets({ limit: 1, windowSeconds: 1 }, 100);
  for (let client = 0; client < 1_000; client++) buckets.take(`c${client}`, 0);
  assert.is(buckets.size, 100);
  assert.not.ok(buckets.take('c999', 0).isAllowed, 'the latest are kept');
  buckets.peek('c999', 2_000);
  assert.is(buckets.size, 99);
});
