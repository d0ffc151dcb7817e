import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { SystemEventOptions } from '../../contracts/system-event-options.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodings } from '../envelope/message-format.js';
import { ForeignStore, inbound, inboundBytes } from '../testing/foreign-events.js';
import { doubling } from '../testing/hostile-bytes.js';
import { SystemEventTransportFilter } from '../transport/system-event-filter.js';
import { keyFromSeed, newSeed } from '../trust/ed25519.js';
import { signHead } from '../trust/signed-head.js';
import { classifyMessage, type ClassifiedMessage, type InboundFilter } from './classify-message.js';
import type { ReceivedEnvelope } from './read-envelope.js';

const test = suite('classify message');

const bakery = new ForeignStore();
const own = new ForeignStore();
const wanted: InboundFilter = {
  store: own.id,
  types: new Set(['Baked']),
  filter: new SystemEventTransportFilter(new SystemEventOptions().broadcast()),
};
const localOnly = { ...wanted, filter: new SystemEventTransportFilter(new SystemEventOptions()) };

const stream = newUuid();
const reasonOf = (verdict: ClassifiedMessage): string =>
  verdict.is === 'dead' && verdict.problem instanceof Problem
    ? `${verdict.problem.code}: ${verdict.problem.message}`
    : verdict.is;
const verdictOn = (more: Partial<ReceivedEnvelope>): ClassifiedMessage =>
  classifyMessage(inbound(bakery.event(stream, more)), wanted);

test('an event and a system record are the same in both formats', () => {
  const stored = '{"id":"7","total":1.5}';
  for (const envelope of [
    bakery.event(stream, { scope: { tenantId: 'north' }, causationId: 'c', traceparent: '00-1', v: 3 }),
    bakery.record('EventAudited', stored),
    bakery.record('EventAudited', stored, { chain: { originalPosition: 4 } }),
  ]) {
    const { encode, headers } = encodings.cloudevents;
    const body = encode({ globalPosition: 1, ...envelope } as StoredEvent);
    const cloud = { ...inbound(envelope, { headers }), body };
    const [kept, same] = [cloud, inbound(envelope)].map((message) => classifyMessage(message, wanted));
    assert.ok(kept?.is === 'event' || kept?.is === 'record');
    assert.equal({ ...kept, envelope: null }, { ...same, envelope: null });
  }
});

test('a subscribed event is kept', () => {
  const envelope = bakery.event(stream);
  const verdict = classifyMessage(inbound(envelope), wanted);
  assert.ok(verdict.is === 'event');
  const { data, metadata, ...rest } = verdict.event;
  assert.equal(JSON.parse(data), envelope.payload);
  assert.equal(JSON.parse(metadata), { correlationId: 'monday', v: 1 });
  assert.equal(rest, {
    store: bakery.id,
    host: 'far-away',
    id: envelope.messageId,
    type: 'Baked',
    streamId: stream,
    streamPosition: envelope.streamPosition,
    occurredAt: envelope.occurredAt,
    recordedAt: envelope.recordedAt,
  });
});

test('events without a subscriber, and our own, are ignored', () => {
  assert.is(verdictOn({ messageType: 'Burnt' }).is, 'unknown');
  assert.is(classifyMessage(inbound(own.event(stream)), wanted).is, 'own');
});

test('a system record is kept exactly as its store has it', () => {
  const stored = '{"id":"ü","n":1e+21,"list":[1,2.5,null],"2":true}';
  const asWritten = JSON.stringify(JSON.parse(stored));
  const verdict = classifyMessage(inbound(bakery.record('CommandAudited', asWritten)), wanted);
  assert.ok(verdict.is === 'record', reasonOf(verdict));
  assert.is(verdict.record.data, asWritten);
  assert.is(verdict.record.omitted, false);
});

test('the position that was merged into a record is removed again', () => {
  for (const stored of ['{"originalStreamPosition":0,"id":"a"}', '{"id":"a"}']) {
    const chain = { originalPosition: 7 };
    const payload = { ...(JSON.parse(stored) as object), originalStreamPosition: 7 };
    const envelope = bakery.record('EventAudited', stored, { payload, chain });
    const verdict = classifyMessage(inbound(envelope), wanted);
    assert.ok(verdict.is === 'record', reasonOf(verdict));
    assert.equal([verdict.record.data, verdict.record.originalPosition], [stored, 7]);
  }
});

test('a record that does not match its digest is dead, unless its body was omitted as too large', () => {
  const payload = { commandBody: null };
  const forged = bakery.record('CommandAudited', '{"commandBody":{"n":1}}', { payload });
  assert.match(reasonOf(classifyMessage(inbound(forged), wanted)), 'The digest does not match');
  const verdict = classifyMessage(inbound(forged, { headers: { 'svc-body': 'omitted' } }), wanted);
  assert.ok(verdict.is === 'record');
  assert.is(verdict.record.omitted, true);
});

const usualMetadata = '{"correlationId":"monday","v":1}';
const recordWith = (metadata?: string) =>
  bakery.record('CommandAudited', '{"n":1}', metadata === undefined ? {} : { chain: { metadata } });

test('a record is kept with its metadata exactly as its store has it', () => {
  for (const metadata of [undefined, '{"correlationId":"monday","v":1,"later":{}}', '{ "v": 1 }']) {
    const verdict = classifyMessage(inbound(recordWith(metadata)), wanted);
    assert.ok(verdict.is === 'record', reasonOf(verdict));
    const { globalPosition, metadata: kept } = verdict.record;
    assert.equal([globalPosition, kept], [9, metadata ?? usualMetadata]);
  }
});

test('a record with another metadata or host, or without its global position, is dead', () => {
  for (const [more, reason] of [
    [{ correlationId: 'tuesday' }, 'The digest does not match'],
    [{ host: 'another' }, 'The digest does not match'],
    [{ globalPosition: undefined }, 'covers its global position'],
  ] as const)
    assert.match(reasonOf(classifyMessage(inbound({ ...recordWith(), ...more }), wanted)), reason);
  const contradicting = recordWith('{"correlationId":"tuesday","v":1}');
  assert.match(reasonOf(classifyMessage(inbound(contradicting), wanted)), 'contradicts the envelope');
});

test('an omitted body is null; any other must match its digest, whatever the header claims', () => {
  const headers = { 'svc-body': 'omitted' };
  for (const payload of [
    { commandBody: { n: 2 } },
    { commandBody: null, originalBody: { n: 2 } },
    { commandType: 'Invented' },
    null,
    'text',
  ]) {
    const forged = bakery.record('CommandAudited', '{"commandBody":{"n":1}}', { payload });
    const reason = reasonOf(classifyMessage(inbound(forged, { headers }), wanted));
    assert.match(reason, 'invalid-message: A record whose body was omitted must have null in its place.');
  }
});

test('bytes with references to each other are dead before they expand', () => {
  const verdict = classifyMessage(inboundBytes('svc.events.Baked', doubling(40)), wanted);
  assert.match(reasonOf(verdict), 'Extensions of msgpack are not accepted.');
});

test('a message that would be too long in the store is dead', () => {
  const verdict = verdictOn({ payload: { text: '\u0001'.repeat(600_000) } });
  assert.match(reasonOf(verdict), 'message-too-large: As JSON the message has 3600011 characters');
});

test('the filter decides about system messages, also those of the service', () => {
  const custom = inbound(bakery.record('OvenWatched', '{}'));
  assert.is(classifyMessage(custom, wanted).is, 'record');
  assert.is(classifyMessage(custom, localOnly).is, 'filtered');
  assert.is(classifyMessage(inbound(bakery.record('CommandAudited', '{}')), localOnly).is, 'filtered');
  assert.is(classifyMessage(inbound(bakery.event(stream)), localOnly).is, 'event');
});

test('the head of a chain has a position and a hash', () => {
  const head = { position: 7, hash: 'ab'.repeat(32) };
  const verdictOnHead = (payload: unknown) =>
    classifyMessage(
      inbound(bakery.event(SystemEventStreams.streamId, { messageType: 'ChainHead', payload })),
      wanted,
    );
  assert.equal(verdictOnHead(head), { is: 'head', store: bakery.id, head: { ...head, proof: 'invalid' } });
  for (const payload of [null, 7, {}, { ...head, position: 0 }, { ...head, hash: 'x' }])
    assert.match(reasonOf(verdictOnHead(payload)), 'needs a position and a hash');
});

test('a head proves what its store has signed, and nothing else', () => {
  const key = { storeId: bakery.id, ...keyFromSeed(newSeed()) };
  const at = '2026-03-01T09:30:00.000Z';
  const history = { epoch: 1, forks: '', publishedTo: 9 };
  const signed = signHead({ position: 7, hash: 'ab'.repeat(32), at, history }, key);
  const proofOf = (payload: object) => {
    const verdict = classifyMessage(
      inbound(bakery.event(SystemEventStreams.streamId, { messageType: 'ChainHead', payload })),
      wanted,
    );
    return verdict.is === 'head' ? verdict.head.proof : verdict.is;
  };
  assert.equal(proofOf(signed), signed);
  const ofAnother = signHead(signed, { ...key, storeId: newUuid() });
  const forged = { ...signed, position: 8 };
  const garbage = { ...signed, signature: 'garbage' };
  const undated = { ...signed, at: '0000-01-01T00:00:00.000Z' };
  const { history: _, ...withoutHistory } = signed;
  for (const payload of [ofAnother, forged, garbage, undated, withoutHistory, { ...signed, publicKey: 7 }])
    assert.is(proofOf(payload), 'invalid');
});

test('a header that contradicts the body is forged', () => {
  for (const headers of [{ 'svc-host': 'another' }, { 'svc-store': newUuid() }])
    assert.match(
      reasonOf(classifyMessage(inbound(bakery.event(stream), { headers }), wanted)),
      /^forged-header: /,
    );
});

test('a message on a subject that is not its own is dead', () => {
  for (const subject of ['svc.events.Sold', 'svc.system.Baked', 'svc.core.auditevents'])
    assert.match(
      reasonOf(classifyMessage(inbound(bakery.event(stream), { subject }), wanted)),
      'does not belong on',
    );
  assert.match(
    reasonOf(verdictOn({ streamId: SystemEventStreams.streamId })),
    'needs its position in the chain',
  );
});

for (const [name, more] of Object.entries({
  messageId: { messageId: 'one' },
  messageType: { messageType: '' },
  streamId: { streamId: 'a stream' },
  streamPosition: { streamPosition: 0 },
  timestamp: { timestamp: 'yesterday' },
  occurredAt: { occurredAt: '2026-02-30T00:00:00Z' },
  store: { store: undefined as never },
  host: { host: 'x'.repeat(2_000) },
  v: { v: 1.5 },
  count: { count: 0 },
  scope: { scope: { tenantId: 7 } as never },
  correlationId: { correlationId: {} as never },
  chain: { chain: { hash: 'x', digest: 'y' } },
})) {
  test(`an envelope with an invalid ${name} is dead, and the reason names the field`, () => {
    assert.match(reasonOf(verdictOn(more)), new RegExp(`invalid-message: .*invalid: ${name}\\.`));
  });
}

test('U+0000 cannot be stored, at any place', () => {
  for (const more of [
    { payload: { name: 'a\0b' } },
    { payload: 'a\0' },
    { host: 'a\0' },
    { correlationId: 'a\0' },
    { scope: { tenantId: '\0' } },
  ])
    assert.match(reasonOf(verdictOn(more)), 'cannot be stored');
});

test('a lone surrogate is never accepted', () => {
  const message = inbound(bakery.event(stream, { payload: { price: '3 €' } }));
  const body = Buffer.from(message.body);
  body.set([0xed, 0xa0, 0x80], body.indexOf('€'));
  const verdict = classifyMessage({ ...message, body }, wanted);
  if (verdict.is === 'event') assert.match(verdict.event.data, /^\{"price":"3 \ufffd+"\}$/);
  else assert.match(reasonOf(verdict), 'cannot be stored');
});

test('an envelope without a payload, or with one that JSON cannot express, is dead', () => {
  assert.match(reasonOf(verdictOn({ payload: undefined })), 'no payload');
  assert.match(reasonOf(verdictOn({ payload: { big: 2n ** 63n } })), 'expressed as JSON');
});

test('bytes that are not an envelope are dead, whatever they are', () => {
  const empty = new Uint8Array();
  const texts = ['', 'hello', '{"messageId":1}', '\u00c1'];
  const bodies = [
    empty,
    ...texts.map((text) => Buffer.from(text)),
    Buffer.from([0xc0]),
    Buffer.from([0x93, 1]),
  ];
  for (const body of bodies)
    assert.match(
      reasonOf(classifyMessage(inboundBytes('svc.events.Baked', body), wanted)),
      /^invalid-message: /,
    );
});

test('10 MB are not even decoded', () => {
  const body = Buffer.alloc(10_000_000, 0x91);
  assert.match(
    reasonOf(classifyMessage(inboundBytes('svc.events.Baked', body), wanted)),
    /^message-too-large: /,
  );
});

test('random bytes, and good messages with a broken byte, never throw', () => {
  const good = inbound(bakery.event(stream)).body;
  for (let n = 0; n < 5_000; n++) {
    const body = n % 2 === 0 ? Buffer.from(good) : Buffer.alloc(n % 300);
    for (let at = 0; at < body.length; at++)
      if (n % 2 === 1 || Math.random() < 0.02) body[at] = Math.floor(Math.random() * 256);
    classifyMessage(inboundBytes('svc.events.Baked', body), wanted);
  }
});
