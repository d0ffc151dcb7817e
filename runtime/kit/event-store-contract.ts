import assert from 'node:assert/strict';
import type { StoredEvent } from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { StagedEvent, StagedRecord, Unit, UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from './collect.js';
import { contractRules, type WithSubject, type RunnerTest } from './contract-rules.js';

/** The contract of every event store, whatever its storage; each rule gets a new, empty store. */
export function eventStoreContract(test: RunnerTest, withStore: WithSubject<UnitStore>): void {
  const rule = contractRules(test, withStore);

  rule('positions start at 1 and count within their stream', async (store) => {
    const [order, invoice] = [newUuid(), newUuid()];
    assert.deepEqual((await store.append(order, created())).positions, [1]);
    assert.deepEqual((await store.append(invoice, created())).positions, [1]);
    assert.deepEqual((await store.append(order, [shipped(), shipped()])).positions, [2, 3]);
  });

  rule('global positions start at 1 and count through all streams without a gap', async (store) => {
    assert.deepEqual((await store.append(newUuid(), created())).globalPositions, [1]);
    assert.deepEqual((await store.append(newUuid(), [created(), shipped()])).globalPositions, [2, 3]);
    assert.deepEqual((await store.append(newUuid(), created())).globalPositions, [4]);
  });

  rule('an append of nothing stores nothing', async (store) => {
    assert.deepEqual(await store.append(newUuid(), []), { positions: [], globalPositions: [] });
    assert.deepEqual(await everything(store), []);
  });

  rule(
    'without an expected position, or with "any", an append is stored wherever the stream is',
    async (store) => {
      const order = newUuid();
      await store.append(order, [created(), shipped()]);
      assert.deepEqual((await store.append(order, shipped())).positions, [3]);
      assert.deepEqual((await store.append(order, shipped(), { expectedPosition: 'any' })).positions, [4]);
    },
  );

  rule('an append that expects the position of the stream is stored', async (store) => {
    const order = newUuid();
    await store.append(order, [created(), shipped()], { expectedPosition: 0 });
    assert.deepEqual((await store.append(order, shipped(), { expectedPosition: 2 })).positions, [3]);
  });

  rule('expecting position 0 requires a new stream', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    await refused('stream-conflict', store.append(order, created(), { expectedPosition: 0 }));
  });

  rule('an expected position that the stream has left behind is a conflict', async (store) => {
    const order = newUuid();
    await store.append(order, [created(), shipped()]);
    await refused('stream-conflict', store.append(order, shipped(), { expectedPosition: 1 }));
  });

  rule('an expected position that the stream has not reached is a conflict', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    await refused('stream-conflict', store.append(order, shipped(), { expectedPosition: 2 }));
    await refused('stream-conflict', store.append(newUuid(), shipped(), { expectedPosition: 1 }));
  });

  rule('an invalid expected position is rejected', async (store) => {
    for (const expectedPosition of [-1, 1.5, Number.NaN, Infinity])
      await refused('invalid-event', store.append(newUuid(), created(), { expectedPosition }));
  });

  rule('a rejected append stores nothing and leaves no gap', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    await refused('stream-conflict', store.append(order, [shipped(), shipped()], { expectedPosition: 0 }));
    assert.deepEqual(await typesIn(store, order), ['OrderCreated']);
    assert.deepEqual((await store.append(order, shipped())).globalPositions, [2]);
  });

  rule('of many appends that expect the same position exactly one is stored', async (store) => {
    const order = newUuid();
    const attempts = Array.from({ length: 20 }, () =>
      store.append(order, created(), { expectedPosition: 0 }).then(() => 'stored', codeOf),
    );
    const answers = await Promise.all(attempts);
    assert.equal(answers.filter((answer) => answer === 'stored').length, 1);
    assert.equal(answers.filter((answer) => answer === 'stream-conflict').length, 19);
    assert.equal(await store.lastPosition(order), 1);
  });

  rule('a repeated append returns the positions of the stored events', async (store) => {
    const order = newUuid();
    const events = [created(), shipped()];
    const first = await store.append(order, events);
    await store.append(order, shipped());
    assert.deepEqual(await store.append(order, events), first);
    assert.equal(await store.lastPosition(order), 3);
  });

  rule('a repeated append succeeds even when it expects an old position', async (store) => {
    const order = newUuid();
    const event = created();
    const first = await store.append(order, event, { expectedPosition: 0 });
    assert.deepEqual(await store.append(order, event, { expectedPosition: 0 }), first);
  });

  rule('the same event appended many times at once is stored once', async (store) => {
    for (const options of [{}, { expectedPosition: 0 }]) {
      const order = newUuid();
      const event = created();
      const answers = await Promise.all(Array.from({ length: 5 }, () => store.append(order, event, options)));
      assert.deepEqual(new Set(answers.map((answer) => answer.positions.join())), new Set(['1']));
      assert.equal(await store.lastPosition(order), 1);
    }
  });

  rule('an event id with other data is a conflict', async (store) => {
    const order = newUuid();
    const event = shipped('DHL');
    await store.append(order, event);
    await refused('stream-conflict', store.append(order, { ...event, payload: { carrier: 'UPS' } }));
    assert.deepEqual(await payloadsIn(store, order), [{ carrier: 'DHL' }]);
  });

  rule('an event id in another stream is a conflict', async (store) => {
    const event = created();
    await store.append(newUuid(), event);
    await refused('stream-conflict', store.append(newUuid(), event));
  });

  rule(
    'a stored event id next to a new event is a conflict, and the new event is not stored',
    async (store) => {
      const order = newUuid();
      const event = created();
      await store.append(order, event);
      await refused('stream-conflict', store.append(order, [event, shipped()]));
      await refused('stream-conflict', store.append(order, [shipped(), event]));
      assert.equal(await store.lastPosition(order), 1);
    },
  );

  rule('an event id twice in one append is a conflict', async (store) => {
    const order = newUuid();
    const event = created();
    await refused('stream-conflict', store.append(order, [event, event]));
    assert.equal(await store.lastPosition(order), 0);
  });

  rule('the system stream is reserved', async (store) => {
    await refused('reserved-stream', store.append(SystemEventStreams.streamId, created()));
    assert.equal(await store.lastPosition(SystemEventStreams.streamId), 0);
  });

  rule('stream ids and event ids are UUIDs in lower case', async (store) => {
    await refused('invalid-event', store.append('order-1', created()));
    await refused('invalid-event', store.append('0190A6D2-0000-7000-8000-00000000000A', created()));
    await refused('invalid-event', store.append(newUuid(), { ...created(), messageId: 'event-1' }));
  });

  rule('U+0000 and unpaired surrogates are rejected', async (store) => {
    for (const carrier of ['\u0000', '\uD800', 'a\\\u0000', '\uDC00b'])
      await refused('invalid-event', store.append(newUuid(), shipped(carrier)));
  });

  rule('text that only looks like an escape is kept', async (store) => {
    const order = newUuid();
    const carriers = ['\\u0000', '\\\\ud800', '\u{1F69A}', '"quoted"', "'; DROP TABLE", '{},NULL', ''];
    await store.append(order, carriers.map(shipped));
    assert.deepEqual(
      await payloadsIn(store, order),
      carriers.map((carrier) => ({ carrier })),
    );
  });

  rule('an append whose signal is aborted is rejected with its reason', async (store) => {
    const order = newUuid();
    const signal = AbortSignal.abort(new Problem('client-gone'));
    await refused('client-gone', store.append(order, created(), {}, signal));
    assert.equal(await store.lastPosition(order), 0);
  });

  rule('an event happened when it was recorded, unless the append sets the time', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    await store.append(order, created(), { occurredAt: '2001-02-03T04:05:06.789+01:00' });
    const [now, then] = await collect(store.read(order));
    assert.equal(now?.occurredAt, now?.recordedAt);
    assert.equal(then?.occurredAt, '2001-02-03T03:05:06.789Z');
    assert.equal(then?.timestamp, then?.occurredAt);
    assert.notEqual(then?.recordedAt, then?.occurredAt);
  });

  rule('an event cannot have happened more than 5 minutes in the future', async (store) => {
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    await store.append(newUuid(), created(), { occurredAt: inMinutes(4) });
    await refused('invalid-event', store.append(newUuid(), created(), { occurredAt: inMinutes(6) }));
    for (const occurredAt of ['yesterday', '2001', '2001-02-30T00:00:00Z'])
      await refused('invalid-event', store.append(newUuid(), created(), { occurredAt }));
  });

  rule('an unknown stream has no events', async (store) => {
    assert.deepEqual(await collect(store.read(newUuid())), []);
    assert.equal(await store.lastPosition(newUuid()), 0);
  });

  rule('the last position of a stream is the number of its events', async (store) => {
    const order = newUuid();
    await store.append(order, [created(), shipped()]);
    assert.equal(await store.lastPosition(order), 2);
  });

  rule('a stream is read in order, with inclusive bounds', async (store) => {
    const order = newUuid();
    await store.append(order, ['1', '2', '3', '4', '5'].map(shipped));
    const between = async (range: { from?: number; to?: number }) =>
      (await collect(store.read(order, range))).map((event) => event.streamPosition);
    assert.deepEqual(await between({}), [1, 2, 3, 4, 5]);
    assert.deepEqual(await between({ from: 4 }), [4, 5]);
    assert.deepEqual(await between({ to: 2 }), [1, 2]);
    assert.deepEqual(await between({ from: 2, to: 3 }), [2, 3]);
    assert.deepEqual(await between({ from: 6 }), []);
    assert.deepEqual(await between({ from: 3, to: 2 }), []);
  });

  rule('a read event is the envelope with its positions', async (store) => {
    const order = newUuid();
    const event: Envelope = {
      ...shipped('DHL'),
      correlationId: 'checkout-7',
      causationId: newUuid(),
      scope: { tenantId: 'acme', userId: null },
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    };
    await store.append(newUuid(), created());
    await store.append(order, event);
    const [read] = await collect(store.read(order));
    assert.ok(read);
    const { timestamp, occurredAt, recordedAt, host, ...rest } = read;
    const { timestamp: _, ...sent } = event;
    assert.deepEqual(rest, { ...sent, streamId: order, streamPosition: 1, globalPosition: 2 });
    assert.ok(typeof host === 'string' && host !== '');
    for (const time of [timestamp, occurredAt, recordedAt])
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  rule('a payload is read as the JSON data that was appended', async (store) => {
    class Money {
      constructor(public amount: string) {}
    }
    const order = newUuid();
    const payload = { paid: new Money('9.90'), at: new Date(0), note: undefined, tags: ['a', null, 1.5] };
    await store.append(order, envelope('OrderPaid', payload));
    payload.paid.amount = '0.00';
    const [paid] = await payloadsIn(store, order);
    assert.deepEqual(paid, {
      paid: { amount: '9.90' },
      at: '1970-01-01T00:00:00.000Z',
      tags: ['a', null, 1.5],
    });
  });

  rule('changes that a reader makes to a payload do not reach the store', async (store) => {
    const order = newUuid();
    await store.append(order, shipped('DHL'));
    for await (const event of store.read(order)) Object.assign(event.payload as object, { carrier: 'UPS' });
    assert.deepEqual(await payloadsIn(store, order), [{ carrier: 'DHL' }]);
  });

  rule('a long stream is read to its end, and so is the log', async (store) => {
    const order = newUuid();
    await store.append(
      order,
      Array.from({ length: 2100 }, () => shipped()),
    );
    await store.commit(
      unit({ records: Array.from({ length: 1050 }, () => recordOf(envelope('HostStarted', {}))) }),
    );
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    assert.deepEqual(
      (await collect(store.read(order))).map((event) => event.streamPosition),
      numbers(2100),
    );
    assert.deepEqual(
      (await collect(store.read(SystemEventStreams.streamId))).map((event) => event.streamPosition),
      numbers(1050),
    );
    assert.deepEqual(
      (await everything(store)).map((event) => event.globalPosition),
      numbers(3150),
    );
    assert.equal((await collect(store.readAll({ after: 50, limit: 2500 }))).length, 2500);
  });

  rule('the log is read in commit order', async (store) => {
    const [order, invoice] = [newUuid(), newUuid()];
    await store.append(order, created());
    await store.append(invoice, envelope('InvoiceSent', {}));
    await store.append(order, shipped());
    const all = await everything(store);
    assert.deepEqual(
      all.map((event) => event.messageType),
      ['OrderCreated', 'InvoiceSent', 'OrderShipped'],
    );
    assert.deepEqual(
      all.map((event) => event.streamId),
      [order, invoice, order],
    );
  });

  rule('the log is read after an exclusive position, up to a limit', async (store) => {
    await store.append(newUuid(), ['1', '2', '3', '4'].map(shipped));
    const positions = async (query: { after: number; limit?: number }) =>
      (await collect(store.readAll(query))).map((event) => event.globalPosition);
    assert.deepEqual(await positions({ after: 2 }), [3, 4]);
    assert.deepEqual(await positions({ after: 4 }), []);
    assert.deepEqual(await positions({ after: 1, limit: 2 }), [2, 3]);
    assert.deepEqual(await positions({ after: 0, limit: 0 }), []);
  });

  rule('only events of the requested types are read, and only they count for the limit', async (store) => {
    await store.append(newUuid(), [created(), shipped('a'), created(), shipped('b'), shipped('c')]);
    const read = await collect(store.readAll({ after: 0, types: ['OrderShipped'], limit: 2 }));
    assert.deepEqual(
      read.map((event) => event.globalPosition),
      [2, 4],
    );
    assert.deepEqual(await collect(store.readAll({ after: 0, types: [] })), []);
  });

  rule('a commit sets the positions of the staged events', async (store) => {
    const [order, invoice] = [newUuid(), newUuid()];
    await store.append(order, created());
    const events = [stage(order, shipped()), stage(invoice, created()), stage(order, shipped())];
    await store.commit(unit({ events }));
    assert.deepEqual(
      events.map((event) => event.position),
      [2, 1, 3],
    );
    assert.deepEqual(
      events.map((event) => event.globalPosition),
      [2, 3, 4],
    );
  });

  rule('a unit is stored in all its streams or in none', async (store) => {
    const [order, invoice] = [newUuid(), newUuid()];
    await store.append(invoice, created());
    const events = [stage(order, created()), stage(invoice, shipped())];
    const records = [recordOf(envelope('HostStarted', {}))];
    await refused('stream-conflict', store.commit(unit({ events, records, expected: [[invoice, 0]] })));
    assert.equal(await store.lastPosition(order), 0);
    assert.equal((await everything(store)).length, 1);
    assert.equal(events[0]?.position, undefined);
  });

  rule('a stream that the unit only checks must be at the expected position', async (store) => {
    const [order, guarded] = [newUuid(), newUuid()];
    await store.append(guarded, created());
    const onOrder = (position: number) =>
      store.commit(unit({ events: [stage(order, shipped())], expected: [[guarded, position]] }));
    await onOrder(1);
    await refused('stream-conflict', onOrder(2));
    await refused('stream-conflict', onOrder(0));
    assert.equal(await store.lastPosition(order), 1);
    assert.equal(await store.lastPosition(guarded), 1);
  });

  rule('a unit may only check positions', async (store) => {
    const order = newUuid();
    await store.commit(unit({}));
    await store.commit(unit({ expected: [[order, 0]] }));
    await refused('stream-conflict', store.commit(unit({ expected: [[order, 1]] })));
  });

  rule('an expectation with an invalid stream or position is rejected', async (store) => {
    await refused('invalid-event', store.commit(unit({ expected: [['order-1', 0]] })));
    await refused('invalid-event', store.commit(unit({ expected: [[newUuid(), Infinity]] })));
  });

  rule('records are in the system stream, after the events of their unit', async (store) => {
    const order = newUuid();
    const records = [recordOf(envelope('HostStarted', { n: 1 })), recordOf(envelope('HostReady', { n: 2 }))];
    await store.commit(unit({ records, events: [stage(order, created())] }));
    await store.append(order, shipped());
    assert.deepEqual(
      (await everything(store)).map((event) => [event.messageType, event.globalPosition]),
      [
        ['OrderCreated', 1],
        ['HostStarted', 2],
        ['HostReady', 3],
        ['OrderShipped', 4],
      ],
    );
    const read = await collect(store.read(SystemEventStreams.streamId, { from: 2 }));
    assert.equal(await store.lastPosition(SystemEventStreams.streamId), 2);
    assert.deepEqual(
      read.map(({ streamId, streamPosition, payload }) => [streamId, streamPosition, payload]),
      [[SystemEventStreams.streamId, 2, { n: 2 }]],
    );
  });

  rule('a record about an event has the position of that event', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    const events = [stage(order, shipped('a')), stage(order, shipped('b'))];
    const records = [
      recordOf(envelope('EventAudited', { of: 'b', originalStreamPosition: 0 }), events[1]),
      recordOf(envelope('EventAudited', { of: 'a' }), events[0]),
      recordOf(envelope('CommandAudited', { of: 'nothing' })),
    ];
    await store.commit(unit({ events, records }));
    const read = (await payloadsIn(store, SystemEventStreams.streamId)) as object[];
    assert.deepEqual(
      read.map((payload) => ({ ...payload, timestamp: undefined })),
      [
        { of: 'b', originalStreamPosition: 3, timestamp: undefined },
        { of: 'a', originalStreamPosition: 2, timestamp: undefined },
        { of: 'nothing', timestamp: undefined },
      ],
    );
  });

  rule('the time of an audit is the time of recording, whatever it was given', async (store) => {
    const given = { timestamp: '2020-01-01T00:00:00Z' };
    const records = ['EventAudited', 'CommandAudited', 'AccessDenied'].map((type) =>
      recordOf(envelope(type, given)),
    );
    await store.commit(unit({ records }));
    const read = await collect(store.read(SystemEventStreams.streamId));
    const [event, command, denied] = read.map(({ payload }) => (payload as typeof given).timestamp);
    const recordedAt = read[0]?.recordedAt ?? '';
    assert.ok(Date.now() - Date.parse(recordedAt) < 600_000);
    assert.deepEqual([event, command, denied], [recordedAt, recordedAt, given.timestamp]);
    assert.deepEqual(
      records.map((record) => record.recordedAt),
      [recordedAt, recordedAt, recordedAt],
    );
  });

  rule('the records of a repeated unit are not stored, and are marked so', async (store) => {
    const event = { streamId: newUuid(), envelope: created() };
    await store.commit(unit({ events: [event] }));
    const records = [recordOf(envelope('EventAudited', {}))];
    await store.commit(unit({ events: [{ ...event }], records }));
    assert.equal(records[0]?.recordedAt, null);
    assert.equal(await store.lastPosition(SystemEventStreams.streamId), 0);
  });

  rule('a record id that is already stored is a conflict', async (store) => {
    const records = [recordOf(envelope('HostStarted', {}))];
    await store.commit(unit({ records }));
    await refused('stream-conflict', store.commit(unit({ records, events: [stage(newUuid(), created())] })));
    assert.equal((await everything(store)).length, 1);
  });

  rule('a repeated unit does not store its records again', async (store) => {
    const events = [stage(newUuid(), created())];
    await store.commit(unit({ events, records: [recordOf(envelope('EventAudited', {}), events[0])] }));
    await store.commit(unit({ events, records: [recordOf(envelope('EventAudited', {}), events[0])] }));
    assert.equal(await store.lastPosition(SystemEventStreams.streamId), 1);
  });

  rule('a unit whose key is taken is rejected as a duplicate and stores nothing', async (store) => {
    const order = newUuid();
    const outcome = keyed('pay-1');
    await store.commit(unit({ outcome, events: [stage(order, created())] }));
    const again = unit({ outcome, events: [stage(order, shipped())] });
    await refused('duplicate-in-flight', store.commit(again));
    assert.deepEqual(await typesIn(store, order), ['OrderCreated']);
    await store.commit(unit({ outcome: keyed('pay-2'), events: [stage(order, shipped())] }));
  });

  rule('of many units with the same key exactly one is stored', async (store) => {
    const order = newUuid();
    const attempts = Array.from({ length: 10 }, () =>
      store.commit(unit({ outcome: keyed('pay-1'), events: [stage(order, created())] })),
    );
    const answers = await Promise.all(attempts.map((attempt) => attempt.then(() => 'stored', codeOf)));
    assert.deepEqual(answers.toSorted(), [...Array<string>(9).fill('duplicate-in-flight'), 'stored']);
    assert.equal(await store.lastPosition(order), 1);
  });

  rule('a taken key is reported before a conflict and before a repetition', async (store) => {
    const order = newUuid();
    const events = [stage(order, created())];
    const outcome = keyed('pay-1');
    await store.commit(unit({ outcome, events }));
    await refused('duplicate-in-flight', store.commit(unit({ outcome, events })));
    await refused('duplicate-in-flight', store.commit(unit({ outcome, expected: [[order, 0]] })));
  });

  rule('a rejected or repeated unit does not take its key', async (store) => {
    const order = newUuid();
    const events = [stage(order, created())];
    await store.commit(unit({ events }));
    const outcome = keyed('pay-1');
    await refused('stream-conflict', store.commit(unit({ outcome, expected: [[order, 0]] })));
    await store.commit(unit({ outcome, events }));
    await store.commit(unit({ outcome, events: [stage(order, shipped())] }));
    assert.equal(await store.lastPosition(order), 2);
  });

  rule('a commit whose signal is aborted stores nothing', async (store) => {
    const events = [stage(newUuid(), created())];
    await refused(
      'client-gone',
      store.commit(unit({ events }), AbortSignal.abort(new Problem('client-gone'))),
    );
    assert.deepEqual(await everything(store), []);
  });

  rule('every read upcasts old versions, and keeps unknown ones', async (store) => {
    const order = newUuid();
    await store.append(order, [
      { ...envelope('OrderCreated', { total: 9, gift: true }), v: 1 },
      { ...envelope('OrderCreated', { total: '9', gift: true }), v: 2 },
      { ...envelope('OrderShipped', { carrier: 'DHL', unknown: 1 }), v: 1 },
    ]);
    store.upcasters?.add([
      { type: 'OrderCreated', from: 1, up: (old: { total: number }) => ({ ...old, total: `${old.total}` }) },
      { type: 'OrderCreated', from: 2, up: (old: object) => ({ ...old, currency: 'EUR' }) },
    ]);
    const newest = { total: '9', gift: true, currency: 'EUR' };
    const expected = [
      [newest, 3],
      [newest, 3],
      [{ carrier: 'DHL', unknown: 1 }, 1],
    ];
    for (const read of [store.read(order), store.readAll({ after: 0 })])
      assert.deepEqual(
        (await collect(read)).map(({ payload, v }) => [payload, v]),
        expected,
      );
  });

  rule('every read fails on a missing step between two versions', async (store) => {
    const order = newUuid();
    await store.append(order, created());
    store.upcasters?.add([{ type: 'OrderCreated', from: 2, up: (old) => old }]);
    await refused('missing-upcaster', collect(store.read(order)));
    await refused('missing-upcaster', collect(store.readAll({ after: 0 })));
  });

  rule('recorded times never decrease', async (store) => {
    for (let round = 0; round < 20; round++)
      await Promise.all([store.append(newUuid(), created()), store.append(newUuid(), created())]);
    const times = (await everything(store)).map((event) => micros(event.recordedAt));
    assert.deepEqual(times, times.toSorted());
  });
}

const created = (): Envelope => envelope('OrderCreated', { total: '9.90' });

const shipped = (carrier = 'DHL'): Envelope => envelope('OrderShipped', { carrier });

const envelope = (messageType: string, payload: unknown): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload,
  timestamp: new Date().toISOString(),
  v: 1,
});

const stage = (streamId: Uuid, event: Envelope): StagedEvent => ({ streamId, envelope: event });

const recordOf = (event: Envelope, of?: StagedEvent): StagedRecord => ({
  envelope: event,
  of,
  publish: false,
});

type UnitInit = Partial<Omit<Unit, 'expected'>> & {
  readonly expected?: readonly (readonly [Uuid, number])[];
};

const unit = ({ events = [], records = [], expected = [], outcome }: UnitInit): Unit => ({
  events,
  records,
  expected: new Map(expected),
  outcome,
});

const keyed = (key: string) => ({
  key: Buffer.from(key),
  fingerprint: Buffer.from('print'),
  status: 200,
  body: '{}',
});

async function refused(code: string, refusal: Promise<unknown>): Promise<void> {
  assert.equal(await refusal.then(() => 'stored', codeOf), code);
}

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

const everything = (store: UnitStore): Promise<StoredEvent[]> => collect(store.readAll({ after: 0 }));

const typesIn = async (store: UnitStore, streamId: Uuid): Promise<string[]> =>
  (await collect(store.read(streamId))).map((event) => event.messageType);

const payloadsIn = async (store: UnitStore, streamId: Uuid): Promise<unknown[]> =>
  (await collect(store.read(streamId))).map((event) => event.payload);

/** Fractions of a second have up to six digits: padded, times compare as text. */
const micros = (time: string): string => {
  const [seconds = '', fraction = ''] = time.slice(0, -1).split('.');
  return `${seconds}.${fraction.padEnd(6, '0')}`;
};
