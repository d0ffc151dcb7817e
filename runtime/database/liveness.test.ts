import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { DatabaseLiveness } from './liveness.js';

const test = suite('liveness');

test('before the first response the age is infinite', () => {
  assert.is(new DatabaseLiveness().ageMs, Number.POSITIVE_INFINITY);
});

test('the age counts from when the newest answered statement was sent', async () => {
  let now = 100;
  const liveness = new DatabaseLiveness(() => now);
  await liveness.observe(async () => {
    now = 130;
  });
  now = 150;
  assert.equal([liveness.ageMs, liveness.latencyMs], [50, 30]);
});

test('a failed statement does not change the age', async () => {
  let now = 100;
  const liveness = new DatabaseLiveness(() => now);
  await liveness.observe(() => Promise.resolve());
  now = 300;
  await liveness.observe(() => Promise.reject(new RangeError('gone'))).catch(() => undefined);
  assert.is(liveness.ageMs, 200);
});

test('a late response does not increase the age', async () => {
  let now = 100;
  const liveness = new DatabaseLiveness(() => now);
  let answer = (): void => undefined;
  const slow = liveness.observe(() => new Promise<void>((resolve) => (answer = resolve)));
  now = 200;
  await liveness.observe(() => Promise.resolve());
  answer();
  await slow;
  assert.is(liveness.ageMs, 0);
});

test('after a lost connection the age is infinite again', async () => {
  const liveness = new DatabaseLiveness(() => 100);
  await liveness.observe(() => Promise.resolve());
  liveness.lost();
  assert.is(liveness.ageMs, Number.POSITIVE_INFINITY);
});
