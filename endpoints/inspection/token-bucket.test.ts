import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TokenBucket } from './token-bucket.js';

const test = suite('token bucket');

function letThrough(bucket: TokenBucket, times: number, everyMs: number, fromMs = 1_000): number {
  let through = 0;
  for (let n = 0; n < times; n++) if (bucket.take(fromMs + n * everyMs)) through++;
  return through;
}

test('no more than its share passes at once', () => {
  assert.is(letThrough(new TokenBucket(20), 1_000, 0), 20);
});

test('however many come, its share of every second passes', () => {
  const through = letThrough(new TokenBucket(20), 100_000, 0.1);
  assert.ok(through >= 215 && through <= 221, String(through));
});

test('fewer than its share all pass', () => {
  assert.is(letThrough(new TokenBucket(20), 100, 60), 100);
});

test('a quiet hour is not saved up', () => {
  const bucket = new TokenBucket(20);
  bucket.take(0);
  assert.is(letThrough(bucket, 1_000, 0, 3_600_000), 20);
});

test.run();
