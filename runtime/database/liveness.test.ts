import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DatabaseLiveness } from './liveness.js';

const test = suite('pulse');

test('before anything was answered the pulse is endlessly old', () => {
  assert.is(new DatabaseLiveness().ageMs, Number.POSITIVE_INFINITY);
});

test('the pulse is as old as the newest statement that was answered, counted from when it was sent', async () => {
  let now = 100;
  const liveness = new DatabaseLiveness(() => now);
  await liveness.observe(async () => {
    now = 130;
  });
  now = 150;
  assert.equal([liveness.ageMs, liveness.latencyMs], [50, 30]);
});

test('a statement that fails leaves the pulse as it was', async () => {
  let now = 100;
  const liveness = new DatabaseLiveness(() => now);
  await liveness.observe(() => Promise.resolve());
  now = 300;
  await liveness.observe(() => Promise.reject(new RangeError('gone'))).catch(() => undefined);
  assert.is(liveness.ageMs, 200);
});

test('an answer that comes late does not make the pulse older', async () => {
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

test('after a connection was lost the pulse has to be felt again', async () => {
  const liveness = new DatabaseLiveness(() => 100);
  await liveness.observe(() => Promise.resolve());
  liveness.lost();
  assert.is(liveness.ageMs, Number.POSITIVE_INFINITY);
});

test.run();
