import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Envelope, Event, SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeUnit } from './encode-unit.js';

const test = suite('encode unit');

test('an event becomes its id, its type and two JSON texts', () => {
  const envelope: Envelope = {
    ...event({ carrier: 'DHL' }),
    correlationId: 'c',
    causationId: 'd',
    scope: { tenantId: 'acme' },
    traceparent: 't',
    host: 'not stored here',
    streamId: newUuid(),
  };
  const streamId = newUuid();
  const [encoded] = encodeUnit(unit({ events: [{ streamId, envelope }] }), now).events;
  assert.equal(encoded, {
    id: envelope.messageId,
    type: 'OrderShipped',
    data: '{"carrier":"DHL"}',
    metadata: '{"correlationId":"c","causationId":"d","scope":{"tenantId":"acme"},"traceparent":"t","v":1}',
    streamId,
    occurredAt: null,
  });
});

test('an undefined payload is null', () => {
  assert.is(encodeUnit(unit({ events: [staged(undefined)] }), now).events[0]?.data, 'null');
});

test('a record has its type, its text and whether it is published', () => {
  const [record] = encodeUnit(unit({ records: [{ envelope: event({ a: 1 }), publish: true }] }), now).records;
  assert.equal([record?.type, record?.data, record?.publish], ['OrderShipped', '{"a":1}', true]);
});

test('a record refers to its event by its number in the unit, or to none by 0', () => {
  const events = [staged({}), staged({})];
  const stranger = staged({});
  const records = [events[1], undefined, stranger, events[0]].map((of) => ({
    envelope: event({}),
    of,
    publish: false,
  }));
  assert.equal(
    encodeUnit(unit({ events, records }), now).records.map(({ of }) => of),
    [2, 0, 0, 1],
  );
});

test('the audit of an event has its body exactly as stored', () => {
  const audited = staged({ price: 1.5, note: 'ü"\\' });
  const audit = { id: 'a', originalBody: audited.envelope.payload, correlationId: '\u0000' };
  const records = [{ envelope: event(audit), of: audited, publish: false }];
  const { events, records: encoded } = encodeUnit(unit({ events: [audited], records }), now);
  const data = `{"id":"a","correlationId":"\ufffd","originalBody":${events[0]?.data}}`;
  assert.is(encoded[0]?.data, data);
});

test('a record with nothing but the body of its event is JSON', () => {
  const audited = staged({ price: 1.5 });
  const records = [
    { envelope: event({ originalBody: audited.envelope.payload }), of: audited, publish: false },
  ];
  const [record] = encodeUnit(unit({ events: [audited], records }), now).records;
  assert.is(record?.data, '{"originalBody":{"price":1.5}}');
});

test('a redacted body is stored as given', () => {
  const audited = staged({ card: '4242' });
  const envelope = event({ id: 'a', originalBody: { card: '***' } });
  const records = [{ envelope, of: audited, publish: false }];
  const [record] = encodeUnit(unit({ events: [audited], records }), now).records;
  assert.is(record?.data, '{"id":"a","originalBody":{"card":"***"}}');
});

test('an audit that hides values has a digest of the event as it is stored, and only the event has the salt', () => {
  const audited = staged({ card: '4242' });
  const envelope = { ...audited.envelope, payload: { id: 'a', originalBody: { card: '***' } } };
  const records = [{ envelope, of: audited, publish: false }];
  const encode = () => encodeUnit(unit({ events: [audited], records }), now);
  const { events, records: encoded } = encode();
  const { metadata = '', data = '' } = events[0] ?? {};
  const digest = createHash('sha256').update(`${metadata}\n${data}`).digest('hex');
  assert.equal(JSON.parse(encoded[0]?.metadata ?? ''), { v: 1, event: { v: 1, digest } });
  assert.match(metadata, /^\{"v":1,"salt":"[\w-]{22}"\}$/);
  assert.is.not(encode().events[0]?.metadata, metadata);
});

test('a record has its own metadata and what its event has of its own, unless they are equal', () => {
  const origin = { correlationId: 'c', causationId: 'd', scope: { tenantId: 'acme' }, traceparent: 't' };
  const audited = { streamId: newUuid(), envelope: { ...event({}), ...origin } };
  const metadataOf = (other: Partial<Envelope>) => {
    const records = [{ envelope: { ...audited.envelope, ...other }, of: audited, publish: false }];
    return encodeUnit(unit({ events: [audited], records }), now).records[0]?.metadata;
  };
  assert.equal(JSON.parse(metadataOf({}) ?? ''), { ...origin, v: 1 });
  const others = [
    { correlationId: 'x' },
    { causationId: 'x' },
    { scope: {} },
    { traceparent: 'x' },
    { v: 2 },
  ];
  for (const other of others)
    assert.equal(JSON.parse(metadataOf(other) ?? ''), { ...origin, v: 1, ...other, event: { v: 1 } });
});

test('what only an event has is kept in the metadata of its record: its version, trace state and stated time', () => {
  const occurredAt = '2025-12-31T23:00:00.5Z';
  const audited = { ...staged({}), occurredAt };
  audited.envelope = { ...audited.envelope, tracestate: 'a=b', v: 3 };
  const records = [{ envelope: event({}), of: audited, publish: false }];
  const [record] = encodeUnit(unit({ events: [audited], records }), now).records;
  const kept = { tracestate: 'a=b', v: 3, occurredAt: '2025-12-31T23:00:00.500Z' };
  assert.equal((JSON.parse(record?.metadata ?? '') as { event: unknown }).event, kept);
});

test('the time of an event is in milliseconds, and at most 5 minutes ahead', () => {
  const at = (occurredAt: string) =>
    encodeUnit(unit({ events: [{ ...staged({}), occurredAt }] }), now).events[0]?.occurredAt;
  assert.is(at('2026-01-01T00:05:00Z'), now + 300_000);
  assert.is(at('2026-01-01T01:00:00.5+01:00'), now + 500);
  refused('invalid-event', () => at('2026-01-01T00:05:00.001Z'));
  refused('invalid-event', () => at('2026-01-01'));
});

test('the system stream is reserved, and others are UUIDs', () => {
  const inStream = (streamId: string) => () =>
    encodeUnit(unit({ events: [{ ...staged({}), streamId }] }), now);
  refused('reserved-stream', inStream(SystemEventStreams.streamId));
  refused('invalid-event', inStream('order-1'));
});

test('a message id is a UUID, of events and of records', () => {
  const envelope = { ...event({}), messageId: 'one' };
  refused('invalid-event', () => encodeUnit(unit({ events: [{ streamId: newUuid(), envelope }] }), now));
  refused('invalid-event', () => encodeUnit(unit({ records: [{ envelope, publish: false }] }), now));
});

test('an id occurs once in a unit', () => {
  const twice = staged({});
  refused('stream-conflict', () => encodeUnit(unit({ events: [twice, staged({}), twice] }), now));
  const record = { envelope: twice.envelope, publish: false };
  refused('stream-conflict', () => encodeUnit(unit({ records: [record, record] }), now));
  encodeUnit(unit({ events: [twice], records: [record] }), now);
});

test('an expected position is an integer, of a stream with a UUID', () => {
  const expecting = (streamId: string, position: number) => () =>
    encodeUnit(unit({ expected: new Map([[streamId, position]]) }), now);
  for (const position of [0, 7, -1]) expecting(newUuid(), position)();
  for (const position of [Number.NaN, Infinity, 0.5, 2 ** 60])
    refused('invalid-event', expecting(newUuid(), position));
  refused('invalid-event', expecting('order-1', 0));
});

test('text is rejected if and only if PostgreSQL could not show it as jsonb', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      (text) => {
        const encode = () => encodeUnit(unit({ events: [staged({ [text]: text })] }), now);
        if (!/[\0\p{Surrogate}]/u.test(text)) encode();
        else refused('invalid-event', encode);
      },
    ),
    { numRuns: 5000 },
  );
});

test('in a record U+FFFD replaces what PostgreSQL could not show, and nothing else changes', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      (text) => {
        const envelope = { ...event({ body: text }), correlationId: text };
        const [record] = encodeUnit(unit({ records: [{ envelope, publish: false }] }), now).records;
        const expected = text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD');
        assert.equal(JSON.parse(record?.data ?? ''), { body: expected });
        assert.is((JSON.parse(record?.metadata ?? '') as { correlationId: string }).correlationId, expected);
      },
    ),
    { numRuns: 5000 },
  );
});

test('a value that JSON cannot express is rejected, and the type is named', () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  for (const payload of [circle, { big: 1n }]) {
    refused('invalid-event', () => encodeUnit(unit({ events: [staged(payload)] }), now));
    const record = { envelope: event(payload), publish: false };
    refused('invalid-event', () => encodeUnit(unit({ records: [record] }), now));
  }
});

test('a system message is not a domain event, as an instance and by its name', () => {
  class Noise extends SystemEvent {}
  class AccessGranted extends Event {}
  const named = { ...staged({}).envelope, messageType: 'EventAudited' };
  const namesake = { ...event(new AccessGranted()), messageType: 'AccessGranted' };
  for (const envelope of [{ ...event(new Noise()), messageType: 'Noise' }, named, namesake])
    refused('invalid-event', () => encodeUnit(unit({ events: [{ streamId: newUuid(), envelope }] }), now));
});

test('the same rule applies to metadata', () => {
  const envelope = { ...event({}), correlationId: '\u0000' };
  refused('invalid-event', () => encodeUnit(unit({ events: [{ streamId: newUuid(), envelope }] }), now));
});

test('the size of a unit grows with its content', () => {
  const size = (init: Partial<Unit>) => encodeUnit(unit(init), now).bytes;
  const text = 'x'.repeat(1000);
  const answer = { key: Buffer.of(1), fingerprint: Buffer.of(1), status: 200, body: text };
  assert.is(size({}), 0);
  assert.ok(size({ events: [staged(text)] }) > 1000);
  assert.ok(size({ events: [staged(text), staged(text)] }) > 2000);
  assert.ok(size({ records: [{ envelope: event(text), publish: false }] }) > 1000);
  assert.ok(size({ outcome: answer }) >= 1000);
});

const now = Date.UTC(2026, 0, 1);

/** Backslashes, parts of escapes, lone surrogates and U+0000. */
const piece = fc.constantFrom('\\', 'u0000', 'ud83d', '"', '\u0000', '\uD83D', '\uDE9A', 'ü');

const event = (payload: unknown): Envelope => ({
  messageId: newUuid(),
  messageType: 'OrderShipped',
  payload,
  timestamp: '2026-01-01T00:00:00Z',
  v: 1,
});

const staged = (payload: unknown): StagedEvent => ({ streamId: newUuid(), envelope: event(payload) });

const unit = (init: Partial<Unit>): Unit => ({ events: [], records: [], expected: new Map(), ...init });

function refused(code: string, act: () => unknown): void {
  assert.throws(act, (error: unknown) => error instanceof Problem && error.code === code);
}
