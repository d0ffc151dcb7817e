import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Problem } from '../contracts/problems.js';
import { Cancellation } from './cancellation.js';
import { Deadlines } from './deadlines.js';

const test = suite('deadlines');

const aborted = (cancellation: Cancellation): Promise<unknown> =>
  new Promise((resolve) => {
    cancellation.listen(() => resolve(cancellation.reason));
  });

test('each request that exceeds the deadline is aborted at its own time', async () => {
  const deadlines = new Deadlines(30);
  const [first, second] = [new Cancellation(), new Cancellation()];
  const now = performance.now();
  deadlines.begin(first, now);
  // Far enough apart that a busy machine does not wake up for both at once.
  deadlines.begin(second, now + 2_000);
  const keepAlive = setInterval(() => undefined, 1000);
  assert.is(((await aborted(first)) as Problem).code, 'deadline-exceeded');
  assert.not(second.aborted);
  assert.is(((await aborted(second)) as Problem).code, 'deadline-exceeded');
  clearInterval(keepAlive);
});

test('a request that ended in time is not aborted, and later ones keep their deadline', async () => {
  const deadlines = new Deadlines(20);
  const [quick, slow] = [new Cancellation(), new Cancellation()];
  const kept = deadlines.begin(quick);
  deadlines.begin(slow);
  deadlines.end(kept);
  deadlines.end(kept);
  const keepAlive = setInterval(() => undefined, 1000);
  await aborted(slow);
  clearInterval(keepAlive);
  assert.not(quick.aborted);
});

test.run();
