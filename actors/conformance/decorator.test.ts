import * as assert from 'uvu/assert';
import { AuditTopic } from '../../contracts/audit.js';
import type { Appended, EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { EventAudited } from '../../contracts/events/audited.js';
import type { Envelope } from '../../contracts/message.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { suite } from '../../contracts/testing/suite.js';
import { AuditingEventStore } from '../../runtime/audit/auditing-event-store.js';
import { collect } from '../../runtime/kit/collect.js';
import { DoorMoved, envelope, RentPaid, ShopOpened, shopWith, street } from '../testing/bakery-service.js';
import { thrownBy } from '../../runtime/testing/thrown-by.js';

const test = suite('conformance: event store auditing decorator');

/** An event store without units, and an outbox; both record what happened, in order. */
function plainStore(configure: (options: SystemEventOptions) => unknown = (o) => o.enableEventAudit()) {
  const happened: string[] = [];
  const queued: { readonly destination: string; readonly envelope: Envelope }[] = [];
  const calls: unknown[][] = [];
  const options = new SystemEventOptions();
  configure(options);
  let last = 40;
  const inner: EventStore = {
    append: async (...args): Promise<Appended> => {
      calls.push(args);
      happened.push('appended');
      const count = Array.isArray(args[1]) ? args[1].length : 1;
      const positions = Array.from({ length: count }, () => ++last);
      return { positions, globalPositions: positions };
    },
    async *read(streamId) {
      yield { streamId } as StoredEvent;
    },
    async *readAll({ after }) {
      yield { globalPosition: after } as StoredEvent;
    },
    lastPosition: async () => last,
  };
  const outbox = {
    queue: (destination: string, queuedEnvelope: Envelope) => {
      happened.push('queued');
      queued.push({ destination, envelope: queuedEnvelope });
    },
  };
  return { store: new AuditingEventStore(inner, outbox, options), happened, queued, calls, options };
}

const opened = (more: Partial<Envelope> = {}) => envelope(ShopOpened.of({ street: 'High' }), more);

test('Append first appends to the inner store, then queues an EventAudited envelope', async () => {
  const { store, happened, queued } = plainStore();
  await store.append(street, opened());
  assert.equal(happened, ['appended', 'queued']);
  assert.is(queued[0]?.envelope.messageType, 'EventAudited');
});

test('the destination of the queued envelope is svc.core.auditevents', async () => {
  const { store, queued } = plainStore();
  await store.append(street, opened());
  assert.is(queued[0]?.destination, 'svc.core.auditevents');
  assert.is(AuditTopic, 'svc.core.auditevents');
});

test('Append passes its arguments to the inner store, and returns its result', async () => {
  const { store, calls } = plainStore();
  const signal = new AbortController().signal;
  const one = opened();
  assert.equal(await store.append(street, one, { expectedPosition: 40 }, signal), {
    positions: [41],
    globalPositions: [41],
  });
  assert.equal(calls, [[street, one, { expectedPosition: 40 }, signal]]);
});

test('the audit carries the exact position that the append returned, event by event', async () => {
  const { store, queued } = plainStore();
  await store.append(street, [opened(), opened()]);
  assert.equal(
    queued.map(({ envelope: e }) => (e.payload as EventAudited).originalStreamPosition),
    [41, 42],
  );
});

test('when the inner append fails, nothing is queued', async () => {
  const { queued, options } = plainStore();
  const failing: EventStore = {
    append: () => Promise.reject(new TypeError('no')),
    async *read() {},
    async *readAll() {},
    lastPosition: async () => 0,
  };
  const store = new AuditingEventStore(failing, { queue: () => assert.unreachable() }, options);
  await store.append(street, opened()).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, TypeError),
  );
  assert.equal(queued, []);
});

test('AuditMode OptOut audits all events except those marked Exclude = true', async () => {
  const { store, queued } = plainStore();
  await store.append(street, [opened(), envelope(new DoorMoved()), envelope(RentPaid.of({ amount: '1' }))]);
  assert.equal(types(queued), ['ShopOpened', 'RentPaid']);
});

test('AuditMode OptIn audits only events explicitly marked with the audit attribute', async () => {
  const { store, queued } = plainStore((o) => {
    o.enableEventAudit().auditMode = 'OptIn';
  });
  await store.append(street, [opened(), envelope(new DoorMoved()), envelope(RentPaid.of({ amount: '1' }))]);
  assert.equal(types(queued), ['RentPaid']);
});

test('the decorator also checks EventAuditEnabled', async () => {
  const { store, queued } = plainStore((o) => o.enableCommandAudit());
  await store.append(street, opened());
  assert.equal(queued, []);
});

test('plain data is audited by its type name, following the mark of the known class', async () => {
  const { service, recorded } = shopWith();
  service.parts.policy.register([DoorMoved, RentPaid]);
  const plain = (messageType: string, payload: unknown) => ({
    ...opened(),
    messageType,
    payload,
    ...fresh(),
  });
  await service.eventStore.append(street, [
    plain('DoorMoved', {}),
    plain('RentPaid', { amount: '1' }),
    plain('RentPaid', { constructor: 'a builder' }),
    plain('RentPaid', Object.assign(Object.create(null) as object, { amount: '2' })),
    plain('RentPaid', null),
  ]);
  assert.equal(
    (await recorded('EventAudited')).map((audited) => [audited['auditLevel'], audited['originalBody']]),
    [
      ['Warning', { amount: '1' }],
      ['Warning', { constructor: 'a builder' }],
      ['Warning', { amount: '2' }],
      ['Warning', null],
    ],
  );
});

test('the decorator does not depend on the event store or the emitter: three arguments are enough', async () => {
  assert.is(AuditingEventStore.length >= 3, true);
  const { store, queued } = plainStore();
  await store.append(street, opened());
  assert.is(queued.length, 1);
});

test('other event store operations pass through to the inner store', async () => {
  const { store } = plainStore();
  assert.equal(await collect(store.read(street, { from: 1 })), [{ streamId: street }]);
  assert.equal(await collect(store.readAll({ after: 3 })), [{ globalPosition: 3 }]);
  assert.is(await store.lastPosition(street), 40);
});

test('over a store of units event and audit are one commit', async () => {
  const { service, store } = shopWith();
  await service.eventStore.append(street, [opened(), opened()]);
  assert.equal(
    store.commits.map(({ events, records }) => [events.length, records.length]),
    [[2, 2]],
  );
});

test('over a store of units the audit carries the position that the commit assigned', async () => {
  const { service, recorded } = shopWith();
  const first = opened();
  await service.eventStore.append(street, [first, opened()]);
  await service.eventStore.append(street, opened());
  assert.equal(
    (await recorded('EventAudited')).map((audited) => audited['originalStreamPosition']),
    [1, 2, 3],
  );
  assert.is((await recorded('EventAudited'))[0]?.['originalEventId'], first.messageId);
});

test('an append that conflicts stores neither event nor audit', async () => {
  const { service, store } = shopWith();
  const problem = await thrownBy(() => service.eventStore.append(street, opened(), { expectedPosition: 5 }));
  assert.is(problem.code, 'stream-conflict');
  assert.equal(store.commits, []);
});

test('an event that is appended again has one audit', async () => {
  const { service, recorded } = shopWith();
  const once = opened();
  await service.eventStore.append(street, once);
  assert.equal((await service.eventStore.append(street, once)).positions, [1]);
  assert.is((await recorded('EventAudited')).length, 1);
});

test('an event whose audit would be invalid is refused, naming the field, and neither is stored', async () => {
  const { service, store } = shopWith();
  const problem = await thrownBy(() => service.eventStore.append(street, opened({ timestamp: 'now' })));
  assert.match(problem.message, /EventAudited: \/timestamp must be/);
  assert.equal(store.commits, []);
});

const types = (queued: readonly { readonly envelope: Envelope }[]) =>
  queued.map(({ envelope: e }) => (e.payload as EventAudited).originalEventType);

const fresh = () => ({ messageId: opened().messageId });
