import * as assert from 'uvu/assert';
import { Command, Event, SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StreamRead } from '../../contracts/receptor.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../lang/cancellation.js';
import type { Auditable, Auditor } from './audited-unit.js';
import { type ContextInit, RequestContext } from '../request/request-context.js';
import { collect } from '../kit/collect.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { envelopeOf } from './envelope-of.js';
import { StagedUnit, type UnitStaging } from './unit-of-work.js';

class ShipOrder extends Command {}
class OrderCreated extends Event {}
class OrderShipped extends Event {
  declare carrier: string;
}
class HostStarted extends SystemEvent {}

const test = suite('unit of work');

test('an append stages: nothing is stored before the commit', async () => {
  const { work, store } = unit();
  const [staged] = work.append(order, shipped('DHL'));
  assert.is(await store.lastPosition(order), 0);
  assert.is(staged?.position, undefined);
  await store.commit(work);
  assert.is(await store.lastPosition(order), 1);
  assert.is(staged?.position, 1);
});

test('an event that a reaction has caused is stored with its depth, and so are those of commands it invokes', async () => {
  const { work, store } = unit({ init: { depth: 3 } });
  work.append(order, shipped('DHL'));
  await store.commit(work);
  const [stored] = await collect(store.read(order));
  assert.is(stored?.depth, 3);
  assert.is(work.context.nested(undefined).depth, 3);
});

test('a staged event carries the ids, the scope and the trace of its command', () => {
  const scope = { tenantId: 'acme', allowedPrincipals: ['ann', 'bob'], extensions: {} };
  const { work } = unit({ init: { correlationId: 'checkout-7', traceparent: 'trace', scope } });
  const [staged] = work.append(order, shipped('DHL'));
  assert.ok(staged);
  const { messageId, timestamp, ...rest } = staged.envelope;
  assert.equal(rest, {
    messageType: 'OrderShipped',
    payload: shipped('DHL'),
    streamId: order,
    correlationId: 'checkout-7',
    causationId: work.context.messageId,
    scope: { tenantId: 'acme', allowedPrincipals: 'ann,bob' },
    traceparent: 'trace',
    v: 1,
  });
  assert.is.not(messageId, work.context.messageId);
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
});

test('imports can set the time of an event', () => {
  const { work } = unit();
  const [staged] = work.append(order, new OrderCreated(), { occurredAt: '2001-02-03T04:05:06Z' });
  assert.is(staged?.occurredAt, '2001-02-03T04:05:06Z');
});

test('a read sees events of other stores where it asks for them; positions and the conflict check are those of the own store', async () => {
  const { work, store } = await unitOnOrderOf(2);
  const far = (carrier: string) => envelopeOf(shipped(carrier), order, work.context);
  store.receive(order, far('before'), newUuid(), { occurredAt: '2001-02-03T04:05:06.7Z' });
  store.receive(order, far('between'), newUuid(), { occurredAt: '2001-02-03T04:05:06.78Z' });
  work.append(order, shipped('staged'), { expectedPosition: 'any' });
  const types = async (options: StreamRead) =>
    (await collect(work.read(order, options))).map(
      ({ payload, messageType }) => (payload as OrderShipped).carrier ?? messageType,
    );
  const own = await types({});
  assert.is(own.length, 3);
  assert.equal(await types({ origin: 'others' }), ['before', 'between']);
  assert.equal(await types({ origin: 'all' }), ['before', 'between', ...own]);
  await collect(work.read(order, { origin: 'all', guard: true }));
  assert.equal([...work.expected.values()], [2]);
  await store.commit(work);
  assert.is(await store.lastPosition(order), 3);
});

test('a read sees what is stored, then what is staged', async () => {
  const { work, store } = await unitOnOrderOf(2);
  work.append(newUuid(), new OrderCreated());
  work.append(order, [shipped('a'), shipped('b')]);
  const read = await collect(work.read(order));
  assert.equal(
    read.map(({ messageType, streamPosition }) => `${messageType} ${streamPosition}`),
    ['OrderCreated 1', 'OrderCreated 2', 'OrderShipped 3', 'OrderShipped 4'],
  );
  assert.is(await store.lastPosition(order), 2);
});

test('appending to a stream that was read expects the position at which it was read', async () => {
  const { work, store } = await unitOnOrderOf(2);
  await collect(work.read(order));
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 2]]);
  await store.append(order, other());
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});

test('the position counts even when the reader stops at the first event', async () => {
  const { work } = await unitOnOrderOf(3);
  for await (const _ of work.read(order)) break;
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 3]]);
});

test('of several reads the first one counts', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  await store.append(order, other());
  await collect(work.read(order));
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 1]]);
});

test('a read that also saw staged events expects the position of the stored ones', async () => {
  const { work } = await unitOnOrderOf(1);
  work.append(order, shipped('a'));
  await collect(work.read(order));
  work.append(order, shipped('b'));
  assert.equal([...work.expected], [[order, 1]]);
});

test('with "any" a stream that was read may have moved on', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  const [staged] = work.append(order, shipped('DHL'), { expectedPosition: 'any' });
  await store.append(order, other());
  await store.commit(work);
  assert.is(staged?.position, 3);
});

test('a stream that was not read may be at any position', async () => {
  const { work, store } = await unitOnOrderOf(5);
  work.append(order, shipped('DHL'));
  assert.is(work.expected.size, 0);
  await store.commit(work);
});

test('a stream that was only read is not part of the check', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  work.append(newUuid(), new OrderCreated());
  await store.append(order, other());
  await store.commit(work);
});

test('a stream that was only read is part of the check when it is guarded', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order, { guard: true }));
  work.append(newUuid(), new OrderCreated());
  assert.equal([...work.expected], [[order, 1]]);
  await store.append(order, other());
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});

test('a guard on an empty stream expects that it stays empty', async () => {
  const { work } = unit();
  await collect(work.read(order, { guard: true }));
  assert.equal([...work.expected], [[order, 0]]);
});

test('a guard after a plain read expects the position of the first read', async () => {
  const { work, store } = await unitOnOrderOf(1);
  await collect(work.read(order));
  await store.append(order, other());
  await collect(work.read(order, { guard: true }));
  assert.equal([...work.expected], [[order, 1]]);
});

test('a read from a position leaves out what is before it, and expects the whole stream', async () => {
  const { work } = await unitOnOrderOf(3);
  assert.equal(
    (await collect(work.read(order, { from: 3 }))).map(({ streamPosition }) => streamPosition),
    [3],
  );
  work.append(order, shipped('DHL'));
  assert.equal([...work.expected], [[order, 3]]);
});

test('a read from behind the end of a stream expects that end', async () => {
  for (const from of [3, 4, 40]) {
    const { work } = await unitOnOrderOf(2);
    assert.equal(await collect(work.read(order, { from })), []);
    work.append(order, shipped('DHL'));
    assert.equal([...work.expected], [[order, 2]]);
  }
});

test('a read from a position leaves out staged events before it, too', async () => {
  const { work } = await unitOnOrderOf(2);
  work.append(order, [shipped('a'), shipped('b'), shipped('c')]);
  for (const [from, seen] of [
    [3, [3, 4, 5]],
    [4, [4, 5]],
    [40, []],
  ] as const)
    assert.equal(
      (await collect(work.read(order, { from }))).map(({ streamPosition }) => streamPosition),
      seen,
    );
});

test('an explicit position includes what the unit has staged', async () => {
  const { work, store } = await unitOnOrderOf(1);
  work.append(order, shipped('a'), { expectedPosition: 1 });
  work.append(order, shipped('b'), { expectedPosition: 2 });
  assert.equal([...work.expected], [[order, 1]]);
  await store.commit(work);
  assert.is(await store.lastPosition(order), 3);
});

test('a stream cannot have two expected positions', async () => {
  const { work } = await unitOnOrderOf(2);
  await collect(work.read(order, { guard: true }));
  assert.throws(
    () => work.append(order, shipped('DHL'), { expectedPosition: 1 }),
    isProblem('stream-conflict'),
  );
  assert.is(work.events.length, 0);
});

test('an explicit position counts, whatever is read later', async () => {
  const { work, store } = await unitOnOrderOf(2);
  work.append(order, shipped('a'), { expectedPosition: 1 });
  await collect(work.read(order));
  work.append(order, shipped('b'));
  assert.is(await store.commit(work).catch(codeOf), 'stream-conflict');
});

test('a system event is staged as the host configures it, or not at all', () => {
  const stage: NonNullable<UnitStaging['system']> = (event, context) => ({
    envelope: envelopeOf(event, order, context),
    publish: true,
  });
  const { work } = unit({ stage });
  work.emit(new HostStarted());
  assert.is(work.records[0]?.envelope.messageType, 'HostStarted');
  assert.is(work.records[0]?.publish, true);
  for (const silent of [unit({ stage: () => undefined }).work, unit().work]) {
    silent.emit(new HostStarted());
    assert.is(silent.records.length, 0);
  }
});

test('one auditor decides about everything in a unit, and its record is staged', () => {
  const subjects: Auditable[] = [];
  const recordOf = (subject: Auditable) => {
    subjects.push(subject);
    return { envelope: other(), publish: false };
  };
  const { work } = unit({ auditor: { recordOf } });
  const [event] = work.append(order, new OrderCreated());
  const handled = { command: new ShipOrder(), response: 'shipped', receptorName: 'r', context: work.context };
  assert.is(work.audit(handled), undefined);
  assert.equal([subjects[0] === event, subjects[1] === handled, work.records.length], [true, true, 2]);
});

test('an audit after the unit was stored is left to be stored separately', () => {
  const record = { envelope: other(), publish: false };
  const { work } = unit({ auditor: { recordOf: () => record } });
  const handled = { command: new ShipOrder(), response: 'shipped', receptorName: 'r', context: work.context };
  work.close();
  assert.throws(() => work.audit(handled), isProblem('unit-closed'));
  work.stored();
  assert.is(work.audit(handled), record);
  assert.is(work.records.length, 0);
});

test('a deferred task is kept for later and does not run by itself', () => {
  const { work } = unit();
  work.defer(() => assert.unreachable('it ran'));
  assert.is(work.deferred.length, 1);
});

test('a unit is empty until it has something to store or to check', async () => {
  assert.ok(unit().work.isEmpty);
  const { work: deferring } = unit();
  deferring.defer(() => undefined);
  assert.ok(deferring.isEmpty);
  const { work: appending } = unit();
  appending.append(order, new OrderCreated());
  assert.not(appending.isEmpty);
  const { work: emitting } = unit({
    stage: (event, context) => ({ envelope: envelopeOf(event, order, context), publish: false }),
  });
  emitting.emit(new HostStarted());
  assert.not(emitting.isEmpty);
  const { work: guarding } = unit();
  await collect(guarding.read(order, { guard: true }));
  assert.not(guarding.isEmpty);
  const { work: answering } = unit();
  answering.outcome = { key: Buffer.of(1), fingerprint: Buffer.of(1), status: 204, body: null };
  assert.not(answering.isEmpty);
});

test('every use of a closed unit is rejected', async () => {
  const { work } = unit();
  work.close();
  for (const use of [
    () => work.append(order, new OrderCreated()),
    () => {
      work.emit(new HostStarted());
    },
    () => {
      work.defer(() => undefined);
    },
  ])
    assert.throws(use, isProblem('unit-closed'));
  assert.is(await collect(work.read(order)).catch(codeOf), 'unit-closed');
});

test('a read that ends after the unit was closed is rejected', async () => {
  const { work, store } = await unitOnOrderOf(1);
  const read = store.read.bind(store);
  store.read = async function* (streamId) {
    work.close();
    yield* read(streamId);
  };
  assert.is(await collect(work.read(order, { guard: true })).catch(codeOf), 'unit-closed');
  assert.is(work.expected.size, 0);
});

const order = newUuid();

interface Setup {
  readonly init?: Partial<ContextInit>;
  readonly stage?: UnitStaging['system'];
  readonly auditor?: Auditor;
}

function unit<TStore extends UnitStore = InMemoryEventStore>(
  { init = {}, stage, auditor }: Setup = {},
  store: TStore = new InMemoryEventStore() as unknown as TStore,
) {
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation(), ...init });
  const staging = {
    ...(stage === undefined ? {} : { system: stage }),
    ...(auditor === undefined ? {} : { auditor }),
  };
  return { store, work: new StagedUnit(context, store, staging) };
}

async function unitOnOrderOf(events: number) {
  const { store, work } = unit();
  for (let n = 0; n < events; n++) await store.append(order, other());
  return { store, work };
}

const other = () => envelopeOf(new OrderCreated(), order, unit().work.context);

const shipped = (carrier: string) => OrderShipped.of({ carrier });

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

const isProblem = (code: string) => (error: unknown) => error instanceof Problem && error.code === code;
