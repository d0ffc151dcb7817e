import * as assert from 'uvu/assert';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { advanceUntil } from '../../runtime/testing/fake-timeouts.js';
import { allParts, withRunner } from '../testing/firing-timers.js';
import type { FiringOutcome } from './fire-timer.js';

const test = suite('timers that were missed');

test('a catch-up is reported once, when it is over, with all timers that no host fired in time', () => {
  let held: readonly number[] = [];
  return withRunner({ parts: () => held, most: 4 }, async ({ clock, runner, fired, set, missed }) => {
    for (let n = 0; n < 20; n++) await set(`t${n}`, 1_000 + n);
    await set('in-time', 30_000);
    await advanceUntil(clock, () => clock.now() > 22_000);
    held = allParts;
    runner.wake();
    await advanceUntil(clock, () => fired.length === 21);
    await advanceUntil(clock, () => clock.now() > 40_000);
    assert.equal(missed, [[20, 1_000]]);
  });
});

test('timers that are a little late are not reported as missed, and neither are those of another host', () => {
  let held: readonly number[] = [];
  const outcome = ({ name }: StoredTimer): FiringOutcome => (name === 'foreign' ? 'gone' : 'fired');
  return withRunner({ parts: () => held, outcome }, async ({ clock, runner, fired, set, missed }) => {
    await set('foreign', 1_000);
    await set('own', 6_000);
    await advanceUntil(clock, () => clock.now() > 12_000);
    held = allParts;
    runner.wake();
    await advanceUntil(clock, () => fired.length >= 2 && clock.now() > 20_000);
    assert.equal(missed, []);
  });
});

for (const [what, isServing, atOnce] of [
  ['fast', false, 8],
  ['slowly, while there are requests', true, 2],
] as const)
  test(`what was missed is caught up with ${what}`, () => {
    let end: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const outcome = () => ended.then((): FiringOutcome => 'fired');
    let held: readonly number[] = [];
    return withRunner(
      { most: 12, outcome, parts: () => held, isServing: () => isServing },
      async ({ clock, runner, fired, set }) => {
        for (let n = 0; n < 8; n++) await set(`timer-${n}`, 0);
        clock.advance(60_000);
        held = allParts;
        runner.wake();
        await advanceUntil(clock, () => fired.length > 0);
        const before = fired.length;
        clock.advance(1_000);
        end?.();
        assert.is(before, atOnce);
        await advanceUntil(clock, () => fired.length === 8);
      },
    );
  });
