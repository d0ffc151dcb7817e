import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { afterRunning } from './after-running.js';
import { withFakeTimeouts } from '../testing/fake-timeouts.js';

const test = suite('after running');

test('the task runs once, when its time is over', () =>
  withFakeTimeouts((clock) => {
    let times = 0;
    afterRunning(7_100, () => times++);
    clock.advance(7_099);
    assert.is(times, 0);
    clock.advance(1);
    assert.is(times, 1);
    clock.advance(60_000);
    assert.is(times, 1);
  }));

test('a cancelled task does not run', () =>
  withFakeTimeouts((clock) => {
    let times = 0;
    const cancel = afterRunning(1_000, () => times++);
    clock.advance(600);
    cancel();
    clock.advance(60_000);
    assert.is(times, 0);
  }));

test('a process that was frozen has the rest of its time afterwards', () =>
  withFakeTimeouts((clock) => {
    let frozenMs = 0;
    let times = 0;
    afterRunning(
      7_000,
      () => times++,
      () => clock.now() + frozenMs,
    );
    clock.advance(1_000);
    frozenMs = 3_600_000;
    clock.advance(250);
    assert.is(times, 0);
    clock.advance(5_499);
    assert.is(times, 0);
    clock.advance(1);
    assert.is(times, 1);
  }));

test('a process that was frozen until its time was over has a moment for what arrived meanwhile', () =>
  withFakeTimeouts((clock) => {
    let frozenMs = 0;
    let times = 0;
    afterRunning(
      1_000,
      () => times++,
      () => clock.now() + frozenMs,
    );
    clock.advance(900);
    frozenMs = 3_600_000;
    clock.advance(100);
    assert.is(times, 0);
    clock.advance(249);
    assert.is(times, 0);
    frozenMs += 3_600_000;
    clock.advance(1);
    assert.is(times, 1);
  }));

test('a process that is slow and not frozen has no more time than any other', () =>
  withFakeTimeouts((clock) => {
    let lateMs = 0;
    let times = 0;
    afterRunning(
      2_000,
      () => times++,
      () => clock.now() + lateMs,
    );
    for (let look = 0; look < 4; look++) {
      lateMs += 250;
      clock.advance(250);
    }
    assert.is(times, 1);
  }));
