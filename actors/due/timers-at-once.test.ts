import * as assert from 'uvu/assert';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { advanceUntil } from '../../runtime/testing/fake-timeouts.js';
import { withRunner } from '../testing/firing-timers.js';
import type { FiringOutcome } from './fire-timer.js';

const test = suite('timers that fire at once');

test('no more timers fire at once than the host may, and none starts twice', () => {
  let release: (() => void)[] = [];
  const outcome = () =>
    new Promise<FiringOutcome>((resolve) => {
      release.push(() => resolve('fired'));
    });
  return withRunner({ most: 4, outcome }, async ({ clock, runner, fired, set, names }) => {
    for (let n = 0; n < 10; n++) await set(`t${n}`, 0);
    runner.wake();
    await advanceUntil(clock, () => fired.length === 4);
    await advanceUntil(clock, () => clock.now() > 2_000);
    assert.is(fired.length, 4);
    for (let rounds = 0; fired.length < 10 || release.length > 0; rounds++) {
      assert.ok(rounds < 10);
      const ended = release;
      release = [];
      for (const end of ended) end();
      const before = fired.length;
      await advanceUntil(clock, () => fired.length > before || fired.length === 10);
    }
    assert.is(new Set(names()).size, 10);
  });
});

test('when more are due than may fire at once, the next ones follow without a notification', () =>
  withRunner({ most: 4 }, async ({ clock, fired, set }) => {
    for (let n = 0; n < 40; n++) await set(`t${n}`, 0);
    await advanceUntil(clock, () => fired.length === 40);
    assert.ok(clock.now() < 10_000, String(clock.now()));
  }));

for (const [what, sick] of [
  ['hang', () => new Promise<FiringOutcome>(() => undefined)],
  ['cannot be fired at the moment', (): FiringOutcome => 'later'],
] as const)
  test(`timers that ${what} do not keep those of other names waiting`, () => {
    const outcome = ({ name }: StoredTimer) => (name === 'sick' ? sick() : 'fired');
    return withRunner({ most: 8, outcome }, async ({ clock, runner, set, names }) => {
      for (let n = 0; n < 20; n++) await set('sick', n);
      await set('well', 20);
      await set('soon', 900);
      runner.wake();
      await advanceUntil(clock, () => names().includes('soon'));
      assert.ok(names().includes('well'));
      assert.ok(clock.now() < 1_500, String(clock.now()));
    });
  });

test('the timers of one tenant do not keep those of others waiting, however many are due before them', () => {
  const waiting: (() => void)[] = [];
  const outcome = () => new Promise<FiringOutcome>((resolve) => waiting.push(() => resolve('fired')));
  const tenants: string[] = [];
  const seen = ({ context }: StoredTimer): Promise<FiringOutcome> => {
    tenants.push((context as { readonly scope: { readonly tenantId: string } }).scope.tenantId);
    return outcome();
  };
  return withRunner({ most: 8, outcome: seen }, async ({ clock, runner, set }) => {
    for (let n = 0; n < 100; n++) await set(`reminder`, 0, 'loud');
    await set('reminder', 1, 'quiet');
    clock.advance(2);
    runner.wake();
    await advanceUntil(clock, () => tenants.includes('quiet'));
    assert.equal(tenants.filter((tenant) => tenant === 'loud').length, 6);
    for (;;) {
      waiting.splice(0).forEach((end) => end());
      await advanceUntil(clock, () => waiting.length > 0 || tenants.length === 101);
      if (waiting.length === 0) break;
    }
  });
});
