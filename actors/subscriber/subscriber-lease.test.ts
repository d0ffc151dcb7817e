import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { inbound } from '../../runtime/testing/foreign-events.js';
import { withScene } from '../testing/subscriber-fixture.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('lease of a subscriber');

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
    await until(() => subscriber.state === 'failed' && hub.requests.size === 0);
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
