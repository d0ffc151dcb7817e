import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CommandAudited } from '../../contracts/events/audited.js';
import { MessageDeadLettered } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import {
  type InboundMessage,
  type SubscriptionRequest,
  type Acknowledgement,
  TransportUnreachable,
} from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ReceivedStatus } from '../../runtime/inbox/host-status.js';
import { ForeignStore, inbound, inboundBytes } from '../../runtime/testing/foreign-events.js';
import { SystemEventTransportFilter } from '../../runtime/transport/filter.js';
import { startSubscriber, subjectsFor, type Subscriber, type SubscriberOptions } from './subscriber.js';
import { InMemoryInbox } from '../../runtime/testing/in-memory-inbox.js';

const test = suite('subscriber');

/** Delivers batches to the subscriber. */
class Hub {
  readonly requests = new Set<SubscriptionRequest>();
  isDown = false;

  subscribe(request: SubscriptionRequest) {
    const { requests } = this;
    const isUp = () => !this.isDown && requests.has(request);
    requests.add(request);
    return {
      name: request.name,
      get isUp() {
        return isUp();
      },
      stop: () => Promise.resolve(void requests.delete(request)),
    };
  }

  async send(...batch: InboundMessage[]): Promise<readonly Acknowledgement[]> {
    const [request] = this.requests;
    assert.ok(request, 'there is no subscriber');
    return request.handle(batch);
  }

  ping(): Promise<void> {
    return this.isDown ? Promise.reject(new TransportUnreachable()) : Promise.resolve();
  }
}

/** A transport that never delivers anything. */
const silent = { subscribe: () => () => undefined };

interface Scene {
  readonly hub: Hub;
  readonly inbox: InMemoryInbox;
  readonly reported: SystemMessage[];
  readonly statuses: ReceivedStatus[];
  readonly bakery: ForeignStore;
  readonly own: ForeignStore;
  readonly start: (owner?: string, more?: Partial<SubscriberOptions>, leaseMs?: number) => Subscriber;
}

async function withScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const started: Subscriber[] = [];
  const [hub, inbox, own] = [new Hub(), new InMemoryInbox(), new ForeignStore()];
  const reported: SystemMessage[] = [];
  const statuses: ReceivedStatus[] = [];
  const filter = new SystemEventTransportFilter(new SystemEventOptions().broadcast());
  const start: Scene['start'] = (owner = 'us', more = {}, leaseMs = 4_000) => {
    const report = (message: SystemMessage) => void reported.push(message);
    const onStatus = (status: ReceivedStatus) => void statuses.push(status);
    const ports = {
      inbox: inbox.heldBy(owner),
      transport: hub,
      filter,
      report,
      onStatus,
      notifications: silent,
    };
    const settings = { leaseMs, unreachableMs: 50 };
    const subscriber = startSubscriber(ports, { store: own.id, types: ['Baked'], ...more }, settings);
    started.push(subscriber);
    return subscriber;
  };
  try {
    await body({ hub, inbox, reported, statuses, bakery: new ForeignStore(), own, start });
  } finally {
    inbox.failure = undefined;
    for (const subscriber of started) await subscriber.stop();
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 5_000; !isSo();) {
    assert.ok(performance.now() < end, 'waited for too long');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const done = (count: number): Acknowledgement[] => Array<Acknowledgement>(count).fill('done');

test('a batch is stored in order, each message once', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const [monday, tuesday] = [newUuid(), newUuid()];
    const batch = [monday, monday, tuesday, monday].map((stream) => inbound(bakery.event(stream)));
    assert.equal(await hub.send(...batch), done(4));
    assert.equal(await hub.send(...batch), done(4));
    assert.equal(
      inbox.received.map(({ streamPosition }) => streamPosition),
      [1, 2, 1, 3],
    );
    assert.equal([counts.received, counts.stored, counts.duplicate], [8, 4, 4]);
  }));

test('messages that are our own, not subscribed to or filtered are acknowledged and counted', () =>
  withScene(async ({ hub, inbox, bakery, own, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const unwanted = bakery.event(newUuid(), { messageType: 'Burnt' });
    assert.equal(await hub.send(inbound(own.event(newUuid())), inbound(unwanted)), done(2));
    assert.equal([counts.own, counts.unknown, inbox.received.length], [1, 1, 0]);
  }));

test('a poison message becomes a dead letter and is reported, and the others of its batch are stored', () =>
  withScene(async ({ hub, inbox, reported, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const poison = inboundBytes('svc.events.Baked', Buffer.from('garbage'));
    const good = () => inbound(bakery.event(newUuid()));
    assert.equal(await hub.send(good(), poison, good()), done(3));
    assert.equal(await hub.send(poison), done(1));
    assert.equal([inbox.received.length, inbox.dead.length, counts.dead], [2, 1, 2]);
    assert.is(reported.length, 1);
    const [report] = reported;
    assert.instance(report, MessageDeadLettered);
    const { messageType, destination, lastError } = report as MessageDeadLettered;
    assert.equal([messageType, destination], ['Baked', 'svc.events.Baked']);
    assert.match(lastError, /^invalid-message: /);
  }));

test('a poison message that claims to be an error event becomes a dead letter without a report', () =>
  withScene(async ({ hub, inbox, reported, start }) => {
    start('us', { receive: 'system' });
    await until(() => hub.requests.size === 2);
    await hub.send(inboundBytes('svc.system.MessageDeadLettered', Buffer.from('x')));
    assert.equal([inbox.dead.length, reported], [1, []]);
  }));

test('when too many dead letters wait, nothing behind the next one is acknowledged until some are resolved', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const subscriber = start();
    await until(() => hub.requests.size === 1);
    inbox.room = 0;
    const batch = [
      inbound(bakery.event(newUuid())),
      inboundBytes('svc.events.Baked', Buffer.from('garbage')),
      inbound(bakery.event(newUuid())),
    ];
    const [first, second] = await hub.send(...batch);
    assert.is(first, 'done');
    assert.ok(typeof second === 'object' && second.redeliverInMs > 0);
    assert.equal([subscriber.isFull, subscriber.counts.dead], [true, 0]);
    inbox.room = 1;
    assert.equal(await hub.send(...batch.slice(1)), done(2));
    assert.equal([subscriber.isFull, inbox.dead.length, inbox.received.length], [false, 1, 2]);
  }));

test('a message that was delivered twice without an acknowledgement is handled alone, and those behind it wait', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const fresh = () => inbound(bakery.event(newUuid()));
    const again = { ...fresh(), delivery: 3, unanswered: 2 };
    const later = { redeliverInMs: 0 };
    assert.equal(await hub.send(fresh(), fresh(), again, fresh()), ['done', 'done', later, later]);
    assert.equal(await hub.send(again, fresh()), ['done', later]);
    assert.equal([inbox.received.length, inbox.attempts.size], [3, 0]);
  }));

test('a message under which two hosts died is quarantined: no host handles it again', () =>
  withScene(async ({ hub, inbox, reported, bakery, start }) => {
    const { counts } = start();
    await until(() => hub.requests.size === 1);
    const poison = { ...inbound(bakery.event(newUuid())), unanswered: 4 };
    const key = Buffer.from(poison.body).toString('hex');
    inbox.attempts.set(key, ['one that died', 'another one']);
    assert.equal(await hub.send(poison), done(1));
    assert.equal([inbox.received.length, inbox.dead.length, counts.quarantined], [0, 1, 1]);
    assert.match(inbox.dead[0]?.error ?? '', /^message-quarantined: 2 hosts died/);
    assert.equal(Buffer.from(inbox.dead[0]?.body ?? '').toString('hex'), key);
    assert.is(reported.length, 1);
    assert.not(inbox.attempts.has(key), 'an operator may replay it');
  }));

test('a batch of large messages is classified in pieces: other work runs between them', () =>
  withScene(async ({ hub, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const payload = Array.from({ length: 80_000 }, (_, n) => ({ [`k${n % 7}`]: n }));
    const large = Array.from({ length: 12 }, () => inbound(bakery.event(newUuid(), { payload })));
    let immediates = 0;
    const countImmediate = (): void => {
      immediates++;
      if (immediates < 1_000) setImmediate(countImmediate);
    };
    setImmediate(countImmediate);
    assert.equal(await hub.send(...large), done(12));
    assert.ok(immediates >= 3, `${immediates} immediates`);
  }));

test('a position that is already occupied makes a dead letter', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const event = bakery.event(newUuid());
    assert.equal(await hub.send(inbound(event), inbound({ ...event, payload: 'another' })), done(2));
    assert.match(inbox.dead[0]?.error ?? '', /^place-taken: /);
  }));

test('while the store is unavailable everything is redelivered, and nothing is lost', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    start();
    await until(() => hub.requests.size === 1);
    const batch = [inbound(bakery.event(newUuid())), inboundBytes('svc.events.Baked', Buffer.from('x'))];
    inbox.failure = new Problem('store-unavailable');
    for (const acknowledgement of await hub.send(...batch))
      assert.ok(typeof acknowledgement === 'object' && acknowledgement.redeliverInMs > 0);
    inbox.failure = undefined;
    assert.equal(await hub.send(...batch), done(2));
    assert.equal([inbox.received.length, inbox.dead.length], [1, 1]);
  }));

test('of two subscribers one is subscribed; when it stops, the other continues', () =>
  withScene(async ({ hub, inbox, start }) => {
    const first = start('us', {}, 300);
    await until(() => hub.requests.size === 1);
    const second = start('them', {}, 300);
    await until(() => second.state === 'withoutLease');
    assert.equal([hub.requests.size, second.subscriptions], [1, []]);
    await first.stop();
    assert.is(first.state, 'stopped');
    await until(() => inbox.owner === 'them' && hub.requests.size === 1);
  }));

test('an idle subscriber renews its lease', () =>
  withScene(async ({ hub, inbox, start }) => {
    const first = start('us', {}, 90);
    await until(() => hub.requests.size === 1);
    const second = start('them', {}, 90);
    const turns = inbox.leaseRequests;
    await until(() => inbox.leaseRequests > turns + 6);
    assert.equal([first.state, second.state, inbox.owner], ['receiving', 'withoutLease', 'us']);
  }));

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
    const subscriber = start();
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

test('a replayed dead letter is handled again', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { subject, body } = inbound(bakery.event(newUuid()));
    inbox.replaying = [{ deadLetterId: '1', subject, body, headers: {}, unanswered: 0 }];
    start();
    await until(() => inbox.replaying.length === 0 && hub.requests.size === 1);
    assert.is(inbox.received.length, 1);
  }));

test('a chain head that differs from ours is counted', () =>
  withScene(async ({ hub, inbox, bakery, start }) => {
    const { counts } = start('us', { types: [], receive: 'system' });
    await until(() => hub.requests.size === 1);
    const hash = 'ab'.repeat(32);
    const head = { messageType: 'ChainHead', payload: { position: 3, hash } };
    assert.equal(await hub.send(inbound(bakery.event(SystemEventStreams.streamId, head))), done(1));
    assert.equal(inbox.heads.get(bakery.id), { position: 3, hash });
    assert.equal([counts.heads, counts.differing], [1, 0]);
  }));

test('the status of another host is passed on and not stored', () =>
  withScene(async ({ hub, inbox, bakery, statuses, start }) => {
    const { counts } = start('us', { types: [], receive: 'system' });
    await until(() => hub.requests.size === 1);
    const startedAt = new Date().toISOString();
    const well = { service: 'bakery', version: '1', startedAt, status: 'Healthy', checks: [] };
    const status = (payload: object) =>
      inbound(bakery.event(SystemEventStreams.streamId, { messageType: 'HostStatus', payload }));
    assert.equal(await hub.send(status(well), status({ ...well, status: 'Fine' })), done(2));
    assert.equal(
      statuses.map((received) => [received.host, received.store, received.status]),
      [['far-away', bakery.id, 'Healthy']],
    );
    assert.equal([counts.statuses, counts.dead, inbox.received.length], [1, 1, 0]);
  }));

const loud = new SystemEventTransportFilter(new SystemEventOptions().broadcast());

test('a host that does not broadcast subscribes to no system messages', () => {
  const quiet = new SystemEventTransportFilter(new SystemEventOptions());
  const store = newUuid();
  const [events, ...none] = subjectsFor({ store, types: ['Baked'], receive: 'system' }, quiet);
  assert.equal([events?.subjects, none], [['svc.events.Baked'], []]);
  assert.equal(subjectsFor({ store, types: [], receive: 'system' }, quiet), []);
});

test('a host subscribes to the named domain events; only the monitor subscribes to system messages', () => {
  const store = newUuid();
  const [events, ...none] = subjectsFor({ store, types: ['Sold', 'Baked', 'Sold', CommandAudited] }, loud);
  assert.equal([events?.subjects, none], [['svc.events.Baked', 'svc.events.Sold'], []]);
  assert.equal(subjectsFor({ store, types: [CommandAudited] }, loud), []);
  const [system] = subjectsFor({ store, types: [], receive: 'system' }, loud);
  assert.equal(system?.subjects, ['svc.system.>', 'svc.core.auditevents']);
  for (const subject of [events, system]) assert.ok(subject?.name.includes(store));
});

test('another set of types is another subscription, so that skipped messages are delivered again', () => {
  const store = newUuid();
  const nameOf = (...types: string[]) => subjectsFor({ store, types }, loud)[0]?.name;
  assert.is(nameOf('Baked', 'Sold'), nameOf('Sold', 'Baked'));
  assert.is.not(nameOf('Baked'), nameOf('Baked', 'Sold'));
});

test.run();
