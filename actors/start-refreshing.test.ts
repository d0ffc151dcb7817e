import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import type { FakeClock } from '../runtime/kit/fake-clock.js';
import { withFakeTimeouts } from '../runtime/testing/fake-timeouts.js';
import type { HostLeases } from '../runtime/leases/host-leases.js';
import type { Turn } from '../runtime/leases/postgres-leases.js';
import { startRefreshing } from './start-refreshing.js';

const test = suite('refreshing');

interface Scene {
  readonly clock: FakeClock;
  readonly notify: (channel: string) => void;
  /** The host has renewed its leases; the store has this version. */
  readonly renew: (version: string) => void;
  /** Ends the refresh that runs. */
  readonly end: (error?: Error) => Promise<void>;
  readonly started: () => number;
  readonly listeners: () => number;
  readonly stop: () => unknown;
}

const whileRefreshing = (
  how: { readonly everyMs: number; readonly version?: () => string },
  body: (scene: Scene) => Promise<void>,
): Promise<void> =>
  withFakeTimeouts(async (clock) => {
    const subscribers = new Set<(channel: string) => void>();
    const watchers = new Set<Parameters<HostLeases['watch']>[0]>();
    let started = 0;
    let settle = (_error?: Error): void => undefined;
    const refresh = () =>
      new Promise<void>((resolve, reject) => {
        started++;
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
    const { stop } = startRefreshing(
      { name: 'the copy', channel: 'svc_access', refresh, ...how },
      { notifications: { subscribe: added(subscribers) }, leases: { watch: added(watchers) } },
    );
    const end = async (error?: Error) => {
      settle(error);
      await new Promise(setImmediate);
    };
    const notify = (channel: string) => subscribers.forEach((each) => each(channel));
    const renew = (version: string) => watchers.forEach((each) => each(turnWith(version)));
    const listeners = () => subscribers.size + watchers.size;
    await body({ clock, notify, renew, end, started: () => started, listeners, stop });
    stop();
  });

const added =
  <T>(listeners: Set<T>) =>
  (listener: T) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

const turnWith = (version: string): Turn => ({
  held: new Set(),
  hosts: [],
  remainingMs: new Map(),
  history: 'one',
  perspectives: [],
  head: 0,
  versions: { svc_access: version },
  broadcast: false,
});

const polled = { everyMs: 3_000 };
const versioned = { everyMs: 600_000, version: () => '4' };

test('a notification about the copy refreshes at once, another one does not', () =>
  whileRefreshing(polled, async ({ notify, started }) => {
    notify('svc');
    assert.is(started(), 0);
    notify('svc_access');
    assert.is(started(), 1);
  }));

test('without a notification it refreshes every few seconds, also after a failure', () =>
  whileRefreshing(polled, async ({ clock, end, started }) => {
    clock.advance(2_999);
    assert.is(started(), 0);
    clock.advance(1);
    assert.is(started(), 1);
    await end(new RangeError('away'));
    clock.advance(3_000);
    assert.is(started(), 2);
  }));

test('a copy with a version is refreshed when the answer about leases has another one, and hardly asks itself', () =>
  whileRefreshing(versioned, async ({ clock, renew, end, started }) => {
    clock.advance(599_999);
    renew('4');
    assert.is(started(), 0);
    renew('5');
    assert.is(started(), 1);
    await end(new RangeError('away'));
    renew('5');
    assert.is(started(), 2);
  }));

test('what changes during a refresh is read by the next one, which follows at once', () =>
  whileRefreshing(polled, async ({ notify, end, started }) => {
    for (let n = 0; n < 5; n++) notify('svc_access');
    assert.is(started(), 1);
    await end();
    assert.is(started(), 2);
    await end();
    assert.is(started(), 2);
  }));

test('once stopped it neither listens nor refreshes', () =>
  whileRefreshing({ ...versioned, ...polled }, async ({ clock, notify, end, started, listeners, stop }) => {
    notify('svc_access');
    stop();
    await end();
    clock.advance(60_000);
    assert.equal([started(), listeners()], [1, 0]);
  }));
