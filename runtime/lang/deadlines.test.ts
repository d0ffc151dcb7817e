import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from './cancellation.js';
import { Deadlines } from './deadlines.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';

const test = suite('deadlines');

const aborted = (cancellation: Cancellation): Promise<unknown> =>
  new Promise((resolve) => {
    cancellation.listen(() => resolve(cancellation.reason));
  });

test('each request that exceeds the deadline is aborted at its own time', () =>
  withFakeTimeouts((clock) => {
    const deadlines = new Deadlines(30);
    const [first, second] = [new Cancellation(), new Cancellation()];
    deadlines.begin(first);
    clock.advance(20);
    deadlines.begin(second);
    clock.advance(9);
    assert.equal([first.aborted, second.aborted], [false, false]);
    clock.advance(1);
    assert.is((first.reason as Problem).code, 'deadline-exceeded');
    assert.not(second.aborted);
    clock.advance(19);
    assert.not(second.aborted);
    clock.advance(1);
    assert.is((second.reason as Problem).code, 'deadline-exceeded');
  }));

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
