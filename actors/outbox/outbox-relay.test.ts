import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { TransportUnreachable } from '../../contracts/transport.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { type OutboxRelay, startOutboxRelay } from './outbox-relay.js';
import type { RelaySettings } from './outbox-relay-machine.js';
import { everything, InMemoryOutbox, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { until } from '../../runtime/testing/until.js';

const test = suite('outbox relay');

/** Wakes its subscribers. */
class LocalNotifications implements NotificationSource {
  readonly #subscribers = new Set<(channel: string) => void>();

  subscribe(receive: (channel: string) => void): () => void {
    this.#subscribers.add(receive);
    return () => void this.#subscribers.delete(receive);
  }

  notify(channel = 'svc'): void {
    for (const receive of this.#subscribers) receive(channel);
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }
}

interface Scene {
  readonly transport?: RecordingTransport;
  readonly owner?: string;
  readonly notifications?: LocalNotifications;
  readonly settings?: Partial<RelaySettings>;
}

function relayOver(log: InMemoryOutbox, scene: Scene = {}): OutboxRelay {
  const {
    transport = new RecordingTransport(),
    owner = 'us',
    notifications = new LocalNotifications(),
    settings,
  } = scene;
  const ports = { transport, filter: everything, report: () => undefined, notifications };
  // No stall of the machine lasts as long as this lease.
  const unhurried = { pollMs: 10_000, leaseMs: 600_000 };
  return startOutboxRelay({ ...ports, outbox: log.heldBy(owner) }, { ...unhurried, ...settings });
}

test('what is in the log is published at once, then the relay is idle', async () => {
  const log = new InMemoryOutbox();
  log.append('bakery', 20);
  const relay = relayOver(log);
  await until(() => relay.state === 'idle');
  assert.equal([log.cursor, relay.counts.published], [20, 20]);
  await relay.stop();
});

test('an idle relay wakes when the log has grown', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  const relay = relayOver(log, { notifications });
  await until(() => relay.state === 'idle' && notifications.subscriberCount === 1);
  log.append('bakery');
  notifications.notify();
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('what is appended during a round starts another one', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  const transport = new RecordingTransport(async ({ envelope }) => {
    if (envelope.globalPosition > 1) return;
    await until(() => notifications.subscriberCount === 1);
    log.append('bakery');
    notifications.notify();
  });
  log.append('bakery');
  const relay = relayOver(log, { notifications, transport });
  await until(() => log.cursor === 2);
  await relay.stop();
});

test('without a notification, the poll finds new events', async () => {
  const log = new InMemoryOutbox();
  const relay = relayOver(log, { settings: { pollMs: 20 } });
  await until(() => relay.state === 'idle');
  log.append('bakery');
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('a relay that is notified of work does not wait for its poll', async () => {
  const log = new InMemoryOutbox();
  const relay = relayOver(log, { settings: { idleMs: 10_000, pollMs: 20 } });
  await until(() => relay.state === 'idle');
  log.append('bakery');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.is(log.cursor, 0);
  relay.wake();
  await until(() => log.cursor === 1);
  await relay.stop();
  relay.wake();
});

test('an idle relay that has lost its lease leaves the work to its holder', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  const idleMs = 600_000;
  const first = relayOver(log, { owner: 'first', notifications, settings: { leaseMs: 60, idleMs } });
  await until(() => first.state === 'idle');
  const second = relayOver(log, { owner: 'second', notifications, settings: { leaseMs: 600_000, idleMs } });
  await until(() => second.state === 'idle' && notifications.subscriberCount === 2);
  log.append('bakery');
  notifications.notify();
  await until(() => log.cursor === 1);
  assert.equal([first.counts.published, second.counts.published], [0, 1]);
  await Promise.all([first.stop(), second.stop()]);
});

test('while the transport cannot be reached the relay releases its lease, then continues from its cursor', async () => {
  const log = new InMemoryOutbox();
  log.append('bakery', 3);
  let reachable = false;
  const transport = new RecordingTransport(() => {
    if (!reachable) throw new TransportUnreachable();
  });
  const relay = relayOver(log, { transport });
  await until(() => relay.state === 'outOfReach');
  assert.equal([log.cursor, log.leaseUntil], [0, 0]);
  reachable = true;
  await until(() => log.cursor === 3);
  assert.equal([relay.counts.refused, transport.byStream.get('bakery')], [0, [1, 2, 3]]);
  await relay.stop();
});

test('a store failure is retried', async () => {
  const log = new InMemoryOutbox();
  log.append('bakery');
  log.failure = new Problem('store-unavailable');
  const relay = relayOver(log);
  await until(() => relay.state === 'backingOff');
  log.failure = undefined;
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('of two relays one is active; when it stops, the other continues at once', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  const settings = { leaseMs: 60_000 };
  const first = relayOver(log, { owner: 'first', notifications, settings });
  await until(() => first.state === 'idle');
  const second = relayOver(log, { owner: 'second', notifications, settings });
  await until(() => second.state === 'withoutLease' && notifications.subscriberCount === 2);
  log.append('bakery');
  notifications.notify();
  await until(() => log.cursor === 1);
  assert.equal([first.counts.published, second.counts.published], [1, 0]);
  await first.stop();
  log.append('bakery');
  notifications.notify('svc_lease');
  await until(() => log.cursor === 2);
  assert.is(second.counts.published, 1);
  await second.stop();
});

test('a relay without the lease acquires it when it expires', async () => {
  const log = new InMemoryOutbox();
  await log.heldBy('dead').acquireLease(50);
  log.append('bakery');
  const relay = relayOver(log);
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('a relay waits no longer than one lease, whatever remaining time the store reports', async () => {
  const log = new InMemoryOutbox();
  await log.heldBy('dead').acquireLease(3_600_000);
  log.append('bakery');
  const relay = relayOver(log, { settings: { leaseMs: 50 } });
  await until(() => relay.state === 'withoutLease');
  // The store's clock is right again.
  log.leaseUntil = 0;
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('a relay that stops finishes what is in flight, releases its lease and stops listening', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  log.append('bakery');
  let landing = (): void => undefined;
  const transport = new RecordingTransport(() => new Promise((resolve) => (landing = resolve)));
  const relay = relayOver(log, { transport, notifications });
  await until(
    () => notifications.subscriberCount === 1 && relay.state === 'relaying' && log.calls.includes('page'),
  );
  await new Promise(setImmediate);
  const stopped = relay.stop();
  landing();
  await stopped;
  assert.equal(
    [relay.state, log.cursor, log.leaseUntil, notifications.subscriberCount],
    ['stopped', 1, 0, 0],
  );
});

test('a relay can be stopped in every state, and twice', async () => {
  const log = new InMemoryOutbox();
  await log.heldBy('another').acquireLease(60_000);
  const relay = relayOver(log);
  await until(() => relay.state === 'withoutLease');
  await relay.stop();
  await relay.stop();
  assert.is(relay.state, 'stopped');
});
