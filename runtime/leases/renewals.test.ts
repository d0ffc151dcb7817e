import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { FakeClock } from '../kit/fake-clock.js';
import { advanceUntil, withFakeTimeouts } from '../testing/fake-timeouts.js';
import { Renewals } from './renewals.js';

const test = suite('renewals of leases');

/** Of 4 s, asked for every 1.8 s. */
const keptMs = 2_200;

/** The leases and how long they last, in milliseconds. */
type Kept = Readonly<Record<string, number>>;

interface Scene {
  readonly clock: FakeClock;
  readonly renewals: Renewals;
  /** Asks for leases that the host has. */
  answered(kept: Kept): number | undefined;
}

const withRenewals = (body: (scene: Scene) => void | Promise<void>): Promise<void> =>
  withFakeTimeouts(async (clock) => {
    const renewals = new Renewals(keptMs);
    const answered = (kept: Kept): number | undefined => {
      const names = Object.keys(kept);
      renewals.asked(names);
      const remainingMs = new Map(Object.entries(kept));
      return renewals.answered({ held: new Set(names), remainingMs }, [{ names, share: names.length }]);
    };
    await body({ clock, renewals, answered });
  });

test('a question without an answer makes all leases late after 1.5 s, until it is answered', () =>
  withRenewals(async ({ clock, renewals, answered }) => {
    renewals.asked(['a', 'b']);
    await advanceUntil(clock, () => renewals.late !== undefined);
    assert.is(clock.now(), 1_500);
    assert.equal(renewals.late?.names, ['a', 'b']);
    assert.is(renewals.late?.reason, 'the database does not answer');
    answered({ a: 4_000, b: 4_000 });
    assert.is(renewals.late, undefined);
  }));

test('an error is the reason, however soon the question is asked again', () =>
  withRenewals(async ({ clock, renewals }) => {
    renewals.asked(['a']);
    renewals.failed(new Error('no connection'));
    clock.advance(900);
    assert.is(renewals.late, undefined);
    renewals.asked(['a']);
    await advanceUntil(clock, () => renewals.late !== undefined);
    assert.equal([renewals.late?.reason, clock.now()], ['no connection', 1_500]);
  }));

test('an answer that was there before the process looked is no silence', () =>
  withRenewals(async ({ clock, renewals, answered }) => {
    const { since } = renewals;
    renewals.asked(['a']);
    clock.advance(20_000);
    answered({ a: 4_000 });
    await new Promise(setImmediate);
    assert.is(renewals.since, since);
  }));

test('a lease whose row another session holds is late 1.5 s after it was due, and no other lease', () =>
  withRenewals(({ clock, renewals, answered }) => {
    assert.is(answered({ a: keptMs, b: 4_000 }), undefined);
    assert.is(answered({ a: keptMs - 10, b: 4_000 }), 500);
    clock.advance(1_489);
    assert.is(answered({ a: keptMs - 1_499, b: 4_000 }), 1);
    assert.is(renewals.late, undefined);
    clock.advance(1);
    answered({ a: keptMs - 1_500, b: 4_000 });
    assert.equal(renewals.late?.names, ['a']);
    assert.is(renewals.late?.reason, 'another session holds the rows of these leases');
    clock.advance(60_000);
    answered({ a: 0, b: 4_000 });
    assert.equal(renewals.late?.names, ['a']);
    assert.is(answered({ a: 4_000, b: 4_000 }), undefined);
    assert.is(renewals.late, undefined);
  }));

test('a free lease that this host should have and does not get is late after 1.5 s', () =>
  withRenewals(({ clock, renewals }) => {
    const answer = { held: new Set<string>(), remainingMs: new Map([['a', 0]]) };
    assert.is(renewals.answered(answer, [{ names: ['a'], share: 0 }]), undefined);
    assert.is(renewals.answered(answer, [{ names: ['a'], share: 1 }]), 500);
    clock.advance(1_500);
    renewals.answered(answer, [{ names: ['a'], share: 1 }]);
    assert.equal(renewals.late?.names, ['a']);
  }));

test('leases that another host has, or are beyond the share, are not late', () =>
  withRenewals(({ clock, renewals }) => {
    const answer = {
      held: new Set(['a']),
      remainingMs: new Map([
        ['a', 4_000],
        ['b', 0],
      ]),
    };
    for (let turn = 0; turn < 5; turn++) {
      assert.is(renewals.answered(answer, [{ names: ['a', 'b'], share: 1 }]), undefined);
      assert.is(
        renewals.answered({ held: new Set(), remainingMs: new Map([['c', 700]]) }, [
          { names: ['c'], share: 1 },
        ]),
        undefined,
      );
      clock.advance(1_800);
    }
    assert.is(renewals.late, undefined);
  }));
