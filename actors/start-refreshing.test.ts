import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import type { FakeClock } from '../runtime/testing/fake-clock.js';
import { withFakeTimeouts } from '../runtime/testing/fake-timeouts.js';
import { startRefreshing } from './start-refreshing.js';

const test = suite('refreshing');

interface Scene {
  readonly clock: FakeClock;
  readonly notify: (channel: string) => void;
  /** Ends the refresh that runs. */
  readonly end: (error?: Error) => Promise<void>;
  readonly started: () => number;
  readonly subscribers: () => number;
  readonly stop: () => unknown;
}

const whileRefreshing = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withFakeTimeouts(async (clock) => {
    const subscribers = new Set<(channel: string) => void>();
    let started = 0;
    let settle = (_error?: Error): void => undefined;
    const refresh = () =>
      new Promise<void>((resolve, reject) => {
        started++;
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
    const { stop } = startRefreshing(
      { name: 'the copy', channel: 'svc_access', everyMs: 3_000, refresh },
      {
        subscribe: (notify) => {
          subscribers.add(notify);
          return () => void subscribers.delete(notify);
        },
      },
    );
    const end = async (error?: Error) => {
      settle(error);
      await new Promise(setImmediate);
    };
    const notify = (channel: string) => subscribers.forEach((each) => each(channel));
    await body({ clock, notify, end, started: () => started, subscribers: () => subscribers.size, stop });
    stop();
  });

test('a notification about the copy refreshes at once, another one does not', () =>
  whileRefreshing(async ({ notify, started }) => {
    notify('svc');
    assert.is(started(), 0);
    notify('svc_access');
    assert.is(started(), 1);
  }));

test('without a notification it refreshes every few seconds, also after a failure', () =>
  whileRefreshing(async ({ clock, end, started }) => {
    clock.advance(2_999);
    assert.is(started(), 0);
    clock.advance(1);
    assert.is(started(), 1);
    await end(new RangeError('away'));
    clock.advance(3_000);
    assert.is(started(), 2);
  }));

test('what changes during a refresh is read by the next one, which follows at once', () =>
  whileRefreshing(async ({ notify, end, started }) => {
    for (let n = 0; n < 5; n++) notify('svc_access');
    assert.is(started(), 1);
    await end();
    assert.is(started(), 2);
    await end();
    assert.is(started(), 2);
  }));

test('once stopped it neither listens nor refreshes', () =>
  whileRefreshing(async ({ clock, notify, end, started, subscribers, stop }) => {
    notify('svc_access');
    stop();
    await end();
    clock.advance(60_000);
    assert.equal([started(), subscribers()], [1, 0]);
  }));
