import * as assert from 'uvu/assert';
import { partitions } from '../../contracts/reaction-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { StagedLists } from '../../runtime/unit/staged-lists.js';
import { type DueWork, timerDefaults, TimerRunner } from './timer-runner.js';

const test = suite('effects beside timers');

const parts = (): readonly number[] => Array.from({ length: partitions }, (_, part) => part);

async function withBoth(
  effects: Pick<DueWork, 'look'>,
  body: (scene: {
    readonly runner: TimerRunner;
    readonly fired: readonly number[];
    readonly looks: () => number;
    readonly after: (ms: number) => Promise<void>;
  }) => Promise<void>,
): Promise<void> {
  await withFakeTimeouts(async (clock) => {
    const store = new InMemoryEventStore({ now: clock.now });
    const lists = new StagedLists();
    const shared = {
      kind: 'command',
      name: 'tick',
      key: '',
      again: 'replace',
      data: {},
      context: {},
    } as const;
    for (const inMs of [500, 1_000]) lists.set({ ...shared, id: newUuid(), due: { inMs } });
    await store.commit({ events: [], records: [], expected: new Map(), lists });
    const fired: number[] = [];
    let looks = 0;
    const dueTimers: typeof store.reactions.dueTimers = (...asked) => {
      looks++;
      return store.reactions.dueTimers(...asked);
    };
    const fire = async ({ id }: { readonly id: string }) => {
      fired.push(clock.now());
      const ends = new StagedLists();
      ends.end(id);
      await store.commit({ events: [], records: [], expected: new Map(), lists: ends });
      return 'fired' as const;
    };
    const others = { ...effects, taken: () => Promise.resolve(), stop: () => Promise.resolve() };
    const runner = new TimerRunner(
      { store: { dueTimers }, fire, parts, isBusy: () => false },
      timerDefaults,
      others,
    );
    const after = (ms: number): Promise<void> => {
      const until = clock.now() + ms;
      return advanceUntil(clock, () => clock.now() >= until);
    };
    runner.start();
    await body({ runner, fired, looks: () => looks, after });
    let stopped = false;
    void runner.stop().then(() => (stopped = true));
    await advanceUntil(clock, () => stopped);
  });
}

test('timers fire in time while a claim of effects waits for its answer', () => {
  let answer: ((nextInMs: number) => void) | undefined;
  const look = (): Promise<number> => new Promise((resolve) => (answer = resolve));
  return withBoth({ look }, async ({ fired, after }) => {
    await after(1_100);
    assert.equal(
      fired.map((at) => at - (at % 50)),
      [500, 1_000],
    );
    answer?.(Infinity);
  });
});

test('a call that ends looks for effects, and reads no timers', () => {
  let claims = 0;
  const look = (): Promise<number> => Promise.resolve((claims++, Infinity));
  return withBoth({ look }, async ({ runner, looks, after }) => {
    await after(100);
    const before = [looks(), claims];
    runner.wakeOthers();
    await after(100);
    assert.equal([looks(), claims], [before[0], (before[1] ?? 0) + 1]);
  });
});
