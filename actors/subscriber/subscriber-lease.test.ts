import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { inbound } from '../../runtime/testing/foreign-events.js';
import { advanceUntil, withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { withScene } from '../testing/subscriber-fixture.js';
import { until } from '../../runtime/testing/until.js';

const test = suite('lease of a subscriber');

test('of two subscribers one is subscribed; when it stops, the other continues', () =>
  withScene(async ({ hub, inbox, start }) => {
    const first = start('us', {}, 600_000);
    await until(() => hub.requests.size === 1);
    const second = start('them', {}, 300);
    await until(() => second.state === 'withoutLease');
    assert.equal([hub.requests.size, second.subscriptions], [1, []]);
    await first.stop();
    assert.is(first.state, 'stopped');
    await until(() => inbox.owner === 'them' && hub.requests.size === 1);
  }));

test('an idle subscriber renews its lease', () =>
  withFakeTimeouts((clock) =>
    withScene(async ({ hub, inbox, start }) => {
      const first = start('us', {}, 90);
      await advanceUntil(clock, () => hub.requests.size === 1);
      const second = start('them', {}, 90);
      const turns = inbox.leaseRequests;
      await advanceUntil(clock, () => inbox.leaseRequests > turns + 6);
      assert.equal([first.state, second.state, inbox.owner], ['receiving', 'withoutLease', 'us']);
    }),
  ));

test('a subscriber waits no longer than one lease, whatever remaining time the store reports', () =>
  withScene(async ({ hub, inbox, start }) => {
    inbox.owner = 'dead';
    inbox.leaseUntil = performance.now() + 3_600_000;
    const subscriber = start('us', {}, 50);
    await until(() => subscriber.state === 'withoutLease');
    inbox.leaseUntil = 0;
    await until(() => hub.requests.size === 1);
  }));

test('a subscriber that lost the lease meanwhile stores nothing, and unsubscribes', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const subscriber = start();
    await until(() => hub.requests.size === 1);
    inbox.owner = 'them';
    inbox.leaseUntil = performance.now() + 60_000;
    const [acknowledgement] = await hub.send(inbound(bakery.event(newUuid())));
    assert.ok(typeof acknowledgement === 'object');
    assert.equal(inbox.received, []);
    await until(() => hub.requests.size === 0 && subscriber.state === 'withoutLease');
  }));

test('when the store is unavailable past the lease, the subscriber backs off and recovers by itself', () =>
  withScene(async ({ hub, inbox, start }) => {
    const subscriber = start('us', {}, 100);
    await until(() => hub.requests.size === 1);
    inbox.failure = new Problem('store-unavailable');
    await until(() => subscriber.state === 'backingOff' && hub.requests.size === 0);
    inbox.failure = undefined;
    await until(() => hub.requests.size === 1);
  }));

test('while the broker cannot be reached the lease is free, and the subscriptions are shown as down', () =>
  withScene(async ({ hub, inbox, start }) => {
    const subscriber = start('us', {}, 4_000);
    await until(() => hub.requests.size === 1);
    hub.isDown = true;
    await until(() => subscriber.state === 'outOfReach' && inbox.owner === undefined);
    assert.equal(
      subscriber.subscriptions.map(({ isUp }) => isUp),
      [false],
    );
    const { leaseRequests: turns } = inbox;
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.is(inbox.leaseRequests, turns, 'it probes the broker, not the store');
    hub.isDown = false;
    await until(() => hub.requests.size === 1 && inbox.owner === 'us');
  }));

test('a subscriber that never reached the broker never acquires the lease', () =>
  withScene(async ({ hub, inbox, start }) => {
    hub.isDown = true;
    const subscriber = start();
    await until(() => subscriber.state === 'outOfReach');
    assert.equal([inbox.leaseRequests, subscriber.subscriptions.length], [0, 1]);
  }));
