import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { type OutboxRelay, type RelaySettings, startOutboxRelay } from './outbox-relay.js';
import { leasesInMemory } from '../../runtime/testing/leases.js';
import { everything, InMemoryOutbox, RecordingTransport } from '../../runtime/testing/in-memory-outbox.js';
import { until } from '../../runtime/kit/until.js';

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
  /** No stall of the machine lasts as long as the usual one. */
  readonly leaseMs?: number;
}

function relayOver(log: InMemoryOutbox, scene: Scene = {}): OutboxRelay {
  const {
    transport = new RecordingTransport(),
    owner = 'us',
    notifications = new LocalNotifications(),
    settings,
    leaseMs = 600_000,
  } = scene;
  const leases = leasesInMemory(log, owner, leaseMs, notifications);
  const ports = { transport, filter: everything, report: () => undefined, leases };
  return startOutboxRelay({ ...ports, outbox: log.heldBy(owner) }, { idleMs: 10_000, ...settings });
}

test('what is in the log is published at once, then the relay is idle', async () => {
  const log = new InMemoryOutbox();
  log.append('bakery', 20);
  const relay = relayOver(log);
  await until(() => relay.state === 'waiting');
  assert.equal([log.cursor, relay.counts.published], [20, 20]);
  await relay.stop();
});

test('an idle relay wakes when the log has grown', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  const relay = relayOver(log, { notifications });
  await until(() => relay.state === 'waiting' && notifications.subscriberCount === 2);
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
    await until(() => notifications.subscriberCount === 2);
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
  const relay = relayOver(log, { settings: { idleMs: 20 }, leaseMs: 60 });
  await until(() => relay.state === 'waiting');
  log.append('bakery');
  await until(() => log.cursor === 1);
  await relay.stop();
});

test('a relay that is notified of work does not wait for its poll', async () => {
  const log = new InMemoryOutbox();
  const relay = relayOver(log, { leaseMs: 60 });
  await until(() => relay.state === 'waiting');
  log.append('bakery');
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.is(log.cursor, 0);
  relay.wake();
  await until(() => log.cursor === 1);
  await relay.stop();
  relay.wake();
});

test('a relay that stops finishes what is in flight, releases its lease and stops listening', async () => {
  const log = new InMemoryOutbox();
  const notifications = new LocalNotifications();
  log.append('bakery');
  let landing = (): void => undefined;
  const transport = new RecordingTransport(() => new Promise((resolve) => (landing = resolve)));
  const relay = relayOver(log, { transport, notifications });
  await until(
    () => notifications.subscriberCount === 2 && relay.state === 'running' && log.calls.includes('page'),
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
