import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { Auditable } from './audited-unit.js';
import { collect } from '../kit/collect.js';
import { envelopeOf } from './envelope-of.js';
import type { UnitStaging } from './unit-of-work.js';
import {
  codeOf,
  HostStarted,
  isProblem,
  order,
  OrderCreated,
  other,
  ShipOrder,
  shipped,
  unit,
  unitOnOrderOf,
} from '../testing/staged-orders.js';

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
