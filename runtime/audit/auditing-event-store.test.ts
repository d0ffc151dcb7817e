import * as assert from 'uvu/assert';
import { AuditTopic } from '../../contracts/audit.js';
import type { DeferredOutbox } from '../../contracts/deferred-outbox.js';
import type { EventStore } from '../../contracts/event-store.js';
import { EventAudited } from '../../contracts/events/audited.js';
import { type Envelope, Event } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../kit/collect.js';
import { eventStoreContract } from '../kit/event-store-contract.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { Auditing } from './auditing.js';
import { AuditingEventStore, isUnitStore } from './auditing-event-store.js';

const test = suite('auditing event store');

class ShopOpened extends Event {}

const options = () => new SystemEventOptions().enableEventAudit();
const nowhere = { queue: () => undefined };
const opened = () => ({
  messageId: newUuid(),
  messageType: 'ShopOpened',
  payload: new ShopOpened(),
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

test('with auditing off it behaves like the store that it decorates', async () => {
  const inner = new InMemoryEventStore();
  const store = new AuditingEventStore(inner, nowhere, new SystemEventOptions());
  const stream = newUuid();
  assert.equal(await store.append(stream, [opened(), opened()]), {
    positions: [1, 2],
    globalPositions: [1, 2],
  });
  assert.is(await store.lastPosition(stream), 2);
});

test('stored audits are reported after the commit', async () => {
  const reported: StagedRecord[] = [];
  const inner = new InMemoryEventStore();
  const auditing = new Auditing(options());
  const keep = (records: readonly StagedRecord[]) => void reported.push(...records);
  const store = new AuditingEventStore(inner, nowhere, options(), auditing, keep);
  await store.append(newUuid(), [opened(), opened()]);
  assert.equal(
    reported.map(({ of }) => of?.position),
    [1, 2],
  );
  await store.append(newUuid(), opened(), { expectedPosition: 7 }).catch(() => undefined);
  assert.is(reported.length, 2);
});

test('over a unit store the outbox gets each audit as it is stored, with its event, and a repeated or refused append none', async () => {
  const inner = new InMemoryEventStore();
  const queued: unknown[] = [];
  const queue: DeferredOutbox['queue'] = (destination, { messageId, payload }, of) => {
    assert.instance(payload, EventAudited);
    queued.push([destination, messageId, JSON.parse(JSON.stringify(payload)), of?.position]);
  };
  const store = new AuditingEventStore(inner, { queue }, options());
  const events = [opened(), opened()];
  const stream = newUuid();
  await store.append(stream, events);
  const stored = await collect(inner.readAll({ after: 0, types: ['EventAudited'] }));
  assert.equal(
    queued,
    stored.map(({ messageId, payload }, index) => [AuditTopic, messageId, payload, index + 1]),
  );
  assert.is(queued.length, 2);
  await store.append(stream, events);
  await store.append(stream, opened(), { expectedPosition: 7 }).catch(() => undefined);
  assert.is(queued.length, 2);
});

test('over a store without units an audit has the time at which it was created, whatever the envelope contains', async () => {
  const inner = new InMemoryEventStore();
  const plain: EventStore = {
    append: inner.append.bind(inner),
    read: inner.read.bind(inner),
    readAll: inner.readAll.bind(inner),
    lastPosition: inner.lastPosition.bind(inner),
  };
  const times: unknown[] = [];
  const queue = (_: string, { payload }: Envelope) => void times.push((payload as EventAudited).timestamp);
  const before = new Date().toISOString();
  await new AuditingEventStore(plain, { queue }, options()).append(newUuid(), opened());
  assert.is(times.length, 1);
  assert.ok(String(times[0]) >= before, String(times[0]));
});

test('a store with a commit method is a unit store', () => {
  const inner = new InMemoryEventStore();
  assert.is(isUnitStore(inner), true);
  assert.is(isUnitStore(new AuditingEventStore(inner, nowhere, options())), false);
});

const contract = suite('auditing event store, by its contract');

eventStoreContract(contract, async (body) => {
  const inner = new InMemoryEventStore();
  const decorated = new AuditingEventStore(inner, nowhere, new SystemEventOptions());
  await body(Object.assign(decorated, { commit: inner.commit.bind(inner), upcasters: inner.upcasters }));
});
