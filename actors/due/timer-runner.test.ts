import * as assert from 'uvu/assert';
import { partitions, type StoredTimer } from '../../contracts/reaction-store.js';
import type { TimersMissed } from '../../contracts/events/process.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { StagedLists } from '../../runtime/unit/staged-lists.js';
import type { FakeClock } from '../../runtime/kit/fake-clock.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import type { FiringOutcome } from './fire-timer.js';
import { TimerRunner, type TimerRunnerPorts } from './timer-runner.js';

const test = suite('runner of timers');

const allParts = Array.from({ length: partitions }, (_, part) => part);

interface Scene {
  readonly clock: FakeClock;
  readonly runner: TimerRunner;
  /** The names of what fired, with the time since the start. */
  readonly fired: (readonly [string, number])[];
  readonly set: (name: string, inMs: number, tenantId?: string) => Promise<void>;
  readonly names: () => readonly string[];
  /** What was reported as missed: how many, and since when. */
  readonly missed: (readonly [number, number])[];
}

type Options = Partial<Pick<TimerRunnerPorts, 'isBusy' | 'parts' | 'isServing'>> & {
  readonly most?: number;
  readonly outcome?: (timer: StoredTimer) => FiringOutcome | Promise<FiringOutcome>;
};

const withRunner = (options: Options, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withFakeTimeouts(async (clock) => {
    const startedAt = clock.now();
    const store = new InMemoryEventStore({ now: clock.now });
    const commit = (change: (lists: StagedLists) => void) => {
      const lists = new StagedLists();
      change(lists);
      return store.commit({ events: [], records: [], expected: new Map(), lists });
    };
    const fired: (readonly [string, number])[] = [];
    const fire = async (timer: StoredTimer): Promise<FiringOutcome> => {
      fired.push([timer.name, clock.now()]);
      const outcome = (await options.outcome?.(timer)) ?? 'fired';
      if (outcome === 'fired') await commit((lists) => lists.end(timer.id));
      return outcome;
    };
    const { isBusy = () => false, isServing = () => false, parts = () => allParts, most = 512 } = options;
    const missed: (readonly [number, number])[] = [];
    const report = ({ count, oldestDue }: TimersMissed): Promise<void> => {
      missed.push([count, Date.parse(oldestDue) - startedAt]);
      return Promise.resolve();
    };
    const runner = new TimerRunner(
      { store: store.reactions, fire, isBusy, isServing, parts, missed: report },
      {
        most,
        mostBesideRequests: 2,
        pollMs: 5_000,
        restMs: 20,
        stuckAfterMs: 1_000,
        laterMs: 1_000,
        endWithinMs: 3_000,
      },
    );
    runner.start();
    const set = (name: string, inMs: number, tenantId?: string) =>
      commit((lists) =>
        lists.set({
          id: newUuid(),
          kind: 'command',
          name,
          key: name,
          again: 'replace',
          due: { inMs },
          data: {},
          context: tenantId === undefined ? {} : { scope: { tenantId } },
        }),
      );
    await body({ clock, runner, fired, set, names: () => fired.map(([name]) => name), missed });
    let stopped = false;
    void runner.stop().then(() => (stopped = true));
    await advanceUntil(clock, () => stopped);
  });

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
