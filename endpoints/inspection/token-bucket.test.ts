import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TokenBucket } from './token-bucket.js';

const test = suite('token bucket');

function letThrough(bucket: TokenBucket, times: number, everyMs: number, fromMs = 1_000): number {
  let through = 0;
  for (let n = 0; n < times; n++) if (bucket.take(fromMs + n * everyMs)) through++;
  return through;
}

test('a burst is limited to the rate of one second', () => {
  assert.is(letThrough(new TokenBucket(20), 1_000, 0), 20);
});

test('under any load the rate per second passes', () => {
  const through = letThrough(new TokenBucket(20), 100_000, 0.1);
  assert.ok(through >= 215 && through <= 221, String(through));
});

test('below the rate everything passes', () => {
  assert.is(letThrough(new TokenBucket(20), 100, 60), 100);
});

test('unused tokens are not saved up', () => {
  const bucket = new TokenBucket(20);
  bucket.take(0);
  assert.is(letThrough(bucket, 1_000, 0, 3_600_000), 20);
});
