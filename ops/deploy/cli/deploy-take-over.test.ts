import * as assert from 'uvu/assert';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { VirtualClock } from '../testing/virtual-clock.js';
import { persistently } from './deploy-take-over.js';

const test = suite('revert of a deployment that was left');

const hour = 3_600_000;

test('it is tried for a day of a clock that no jump changes, then left to an operator', async () => {
  const clock = new VirtualClock();
  let attempts = 0;
  await persistently(async () => {
    attempts++;
    throw new Problem('front-unreachable', { detail: 'no front' });
  }, clock);
  assert.ok(attempts > 2_000, String(attempts));
  assert.ok(clock.now() >= 24 * hour && clock.now() < 25 * hour, String(clock.now()));
});

test('it ends with the first attempt that succeeds, and when another process has the deployment', async () => {
  const clock = new VirtualClock();
  let attempts = 0;
  await persistently(async () => {
    if (++attempts < 5) throw new RangeError('the store is away');
  }, clock);
  assert.is(attempts, 5);
  await persistently(async () => {
    attempts++;
    throw new Problem('deployment-conflict', { detail: 'another process' });
  }, clock);
  assert.is(attempts, 6);
});
