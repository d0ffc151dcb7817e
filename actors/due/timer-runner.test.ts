import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { advanceUntil } from '../../runtime/testing/fake-timeouts.js';
import { withRunner } from '../testing/firing-timers.js';
import type { FiringOutcome } from './fire-timer.js';

const test = suite('runner of timers');

test('timers fire when they are due, not when the next look happens to come', () =>
  withRunner({}, async ({ clock, runner, fired, set }) => {
    await set('second', 3_000);
    await set('first', 1_500);
    runner.wake();
    await advanceUntil(clock, () => fired.length === 2);
    assert.equal(
      fired.map(([name]) => name),
      ['first', 'second'],
    );
    for (const [[, at], due] of [
      [fired[0] ?? ['', 0], 1_500] as const,
      [fired[1] ?? ['', 0], 3_000] as const,
    ])
      assert.ok(at >= due && at <= due + 50, `${at} for ${due}`);
  }));

test('a timer that another host has set is found without a notification', () =>
  withRunner({}, async ({ clock, fired, set }) => {
    await advanceUntil(clock, () => clock.now() > 200);
    await set('quiet', 0);
    await advanceUntil(clock, () => fired.length === 1);
    assert.ok(clock.now() <= 5_300, String(clock.now()));
  }));

test('only timers of held partitions fire', () =>
  withRunner({ parts: () => [] }, async ({ clock, runner, fired, set }) => {
    await set('foreign', 0);
    runner.wake();
    await advanceUntil(clock, () => clock.now() > 12_000);
    assert.equal(fired, []);
  }));

test('timers wait while requests need the host', () => {
  let busy = true;
  return withRunner({ isBusy: () => busy }, async ({ clock, runner, fired, set }) => {
    await set('patient', 0);
    runner.wake();
    await advanceUntil(clock, () => clock.now() > 500);
    assert.equal(fired, []);
    busy = false;
    await advanceUntil(clock, () => fired.length === 1);
  });
});

test('a timer that cannot be fired at the moment is tried again after a pause', () => {
  let answers: FiringOutcome[] = ['later', 'later', 'fired'];
  const outcome = () => answers.shift() ?? 'fired';
  return withRunner({ outcome }, async ({ clock, runner, fired, set }) => {
    await set('later', 0);
    runner.wake();
    await advanceUntil(clock, () => fired.length === 3);
    const times = fired.map(([, at]) => at);
    for (const [index, at] of times.slice(1).entries()) assert.ok(at - (times[index] ?? 0) >= 1_000);
    answers = [];
  });
});

test('a stop does not wait for a timer that hangs', () => {
  const outcome = () => new Promise<FiringOutcome>(() => undefined);
  return withRunner({ outcome }, async ({ clock, runner, fired, set }) => {
    await set('hanging', 0);
    runner.wake();
    await advanceUntil(clock, () => fired.length === 1);
    const since = clock.now();
    let stopped = false;
    void runner.stop().then(() => (stopped = true));
    await advanceUntil(clock, () => stopped);
    assert.ok(clock.now() - since <= 4_000, String(clock.now() - since));
  });
});

test('a stop waits for what is firing, and starts nothing more', () => {
  let end: (() => void) | undefined;
  const outcome = () =>
    new Promise<FiringOutcome>((resolve) => {
      end = () => resolve('fired');
    });
  return withRunner({ outcome }, async ({ clock, runner, fired, set }) => {
    await set('slow', 0);
    runner.wake();
    await advanceUntil(clock, () => fired.length === 1);
    let stopped = false;
    void runner.stop().then(() => (stopped = true));
    await set('too-late', 0);
    await advanceUntil(clock, () => clock.now() > 1_000);
    assert.not(stopped);
    end?.();
    await advanceUntil(clock, () => stopped);
    assert.is(fired.length, 1);
  });
});
