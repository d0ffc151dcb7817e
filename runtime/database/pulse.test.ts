import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Pulse } from './pulse.js';

const test = suite('pulse');

test('before anything was answered the pulse is endlessly old', () => {
  assert.is(new Pulse().ageMs, Number.POSITIVE_INFINITY);
});

test('the pulse is as old as the newest statement that was answered, counted from when it was sent', async () => {
  let now = 100;
  const pulse = new Pulse(() => now);
  await pulse.feel(async () => {
    now = 130;
  });
  now = 150;
  assert.equal([pulse.ageMs, pulse.latencyMs], [50, 30]);
});

test('a statement that fails leaves the pulse as it was', async () => {
  let now = 100;
  const pulse = new Pulse(() => now);
  await pulse.feel(() => Promise.resolve());
  now = 300;
  await pulse.feel(() => Promise.reject(new RangeError('gone'))).catch(() => undefined);
  assert.is(pulse.ageMs, 200);
});

test('an answer that comes late does not make the pulse older', async () => {
  let now = 100;
  const pulse = new Pulse(() => now);
  let answer = (): void => undefined;
  const slow = pulse.feel(() => new Promise<void>((resolve) => (answer = resolve)));
  now = 200;
  await pulse.feel(() => Promise.resolve());
  answer();
  await slow;
  assert.is(pulse.ageMs, 0);
});

test('after a connection was lost the pulse has to be felt again', async () => {
  const pulse = new Pulse(() => 100);
  await pulse.feel(() => Promise.resolve());
  pulse.lost();
  assert.is(pulse.ageMs, Number.POSITIVE_INFINITY);
});

test.run();
