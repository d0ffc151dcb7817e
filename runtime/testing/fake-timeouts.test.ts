import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { advanceUntil, withFakeTimeouts } from './fake-timeouts.js';
import { until } from '../kit/until.js';

const test = suite('fake timeouts');

test('a timeout ends when the clock reaches it', () =>
  withFakeTimeouts((clock) => {
    const ended: string[] = [];
    setTimeout(() => ended.push('late'), 20).unref();
    setTimeout(() => ended.push('early'), 10).ref();
    clearTimeout(setTimeout(() => ended.push('never'), 5));
    clock.advance(10);
    assert.equal(ended, ['early']);
    clock.advance(10);
    assert.equal(ended, ['early', 'late']);
  }));

test('time passes only when the clock is advanced', () =>
  withFakeTimeouts(async (clock) => {
    const before = performance.now();
    await new Promise(setImmediate);
    assert.is(performance.now(), before);
    clock.advance(10);
    assert.is(performance.now(), before + 10);
  }));

test('the clock is advanced until a condition holds, and not without end', () =>
  withFakeTimeouts(async (clock) => {
    let rounds = 0;
    const again = (): void => void setTimeout(() => ++rounds < 3 && again(), 25);
    again();
    await advanceUntil(clock, () => rounds === 3);
    assert.is(clock.now(), 80);
    const failure = await advanceUntil(clock, () => false).catch((error: unknown) => error);
    assert.match(String(failure), 'advanced by 100000 ms in vain');
  }));

test('the real timeouts and the real time are restored afterwards, also after a failure', async () => {
  const real = setTimeout;
  const failing = withFakeTimeouts(() => {
    assert.is.not(setTimeout, real);
    throw new TypeError('broken');
  });
  assert.instance(await failing.catch((error: unknown) => error), TypeError);
  assert.is(setTimeout, real);
  const before = performance.now();
  await until(() => performance.now() > before);
});
