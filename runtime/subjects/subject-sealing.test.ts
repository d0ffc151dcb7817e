import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Envelope, Event } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { SealedField } from '../../contracts/sealing.js';
import { suite } from '../../contracts/testing/suite.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { newUuid } from '../../contracts/uuid.js';
import { collect } from '../kit/collect.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { InMemorySubjectKeys } from '../kit/in-memory-subject-keys.js';
import { thrownBy } from '../testing/thrown-by.js';
import { SubjectSealing } from './subject-sealing.js';

const test = suite('sealing of subjects');

const fields: readonly SealedField[] = [
  { path: ['email'], subject: 'customerId', subjectIn: 'object' },
  { path: ['guests', null, 'name'], subject: 'guestId', subjectIn: 'object' },
  { path: ['notes', null], subject: 'customerId', subjectIn: 'event' },
];

class Booked extends Event {}

function setUp() {
  const upcasters = new Upcasters();
  const sealed = [{ type: Booked, fields }];
  const sealing = new SubjectSealing(sealed, new InMemorySubjectKeys());
  return { sealing, store: new InMemoryEventStore({ upcasters, sealed }), upcasters };
}

const envelope = (payload: unknown): Envelope => ({
  messageId: newUuid(),
  messageType: 'Booked',
  payload,
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

const staged = (payload: unknown) => ({ streamId: newUuid(), envelope: envelope(payload) });

const booked = {
  customerId: 'c-1',
  email: { private: 'ada@lovelace.example' },
  guests: [
    { guestId: 'g-1', name: 'Bob' },
    { guestId: 'g-2', name: 'Cyd' },
  ],
  notes: { a: 'late', 'b/c': null },
  city: 'svc:sealed:1:is my own text',
};

test('each value is sealed for its own subject and everything else stays as it is', async () => {
  const { sealing } = setUp();
  const event = staged(booked);
  const sealed = (await sealing.seal([event])).get(event)?.payload as typeof booked;
  const email = sealed.email as unknown as string;
  const texts = [email, ...sealed.guests.map(({ name }) => name), sealed.notes.a];
  for (const text of texts) assert.match(text, /^svc:sealed:1:/);
  assert.is(new Set(texts.map((text) => text.slice(0, 49))).size, 3);
  const { customerId, city, notes } = booked;
  assert.equal([sealed.customerId, sealed.city, sealed.notes['b/c']], [customerId, city, notes['b/c']]);
  assert.equal(booked.guests[0]?.name, 'Bob');
});

test('a store gives back what was appended, and null for a subject that was forgotten', async () => {
  const { store } = setUp();
  const stream = newUuid();
  await store.append(stream, envelope(booked));
  const read = async () => (await collect(store.read(stream))).map(({ payload }) => payload);
  assert.equal(await read(), [booked]);
  store.forget('g-1');
  const [cyd] = booked.guests.slice(1);
  assert.equal(await read(), [{ ...booked, guests: [{ guestId: 'g-1', name: null }, cyd] }]);
  store.forget('c-1');
  const [after] = (await read()) as (typeof booked)[];
  assert.equal([after?.email, after?.notes], [null, { a: null, 'b/c': null }]);
});

test('the same event can be appended again', async () => {
  const { store } = setUp();
  const stream = newUuid();
  const event = envelope(booked);
  const first = await store.append(stream, event);
  assert.equal(await store.append(stream, event), first);
});

test('an upcaster takes plain values', async () => {
  const { store, upcasters } = setUp();
  upcasters.add([{ type: 'Booked', from: 1, up: (old) => ({ text: JSON.stringify(old) }) }]);
  const stream = newUuid();
  await store.append(stream, envelope({ customerId: 'c-1', email: 'ada' }));
  const [event] = await collect(store.read(stream));
  assert.equal(event?.payload, { text: '{"customerId":"c-1","email":"ada"}' });
});

test('a plain value from before the field had a subject is left as it is', async () => {
  const { sealing } = setUp();
  const [opened] = await sealing.open([{ event: envelope(booked) }]);
  assert.equal(opened, { payload: booked });
});

test('what another store sent is null even if it holds a ciphertext of ours', async () => {
  const { sealing } = setUp();
  const event = staged({ customerId: 'c-1', email: 'ada' });
  const payload = (await sealing.seal([event])).get(event)?.payload;
  const ours = { event: { ...event.envelope, payload } };
  const forgotten = { payload: { customerId: 'c-1', email: null } };
  assert.equal(await sealing.open([ours, { ...ours, isForeign: true }]), [
    { payload: { customerId: 'c-1', email: 'ada' } },
    forgotten,
  ]);
  assert.equal(await sealing.open([{ ...ours, isForeign: true }]), [forgotten]);
});

test('one value that was moved is a fault of its event alone', async () => {
  const { sealing } = setUp();
  const [one, other] = [staged({ customerId: 'c-1', email: 'a' }), staged({ customerId: 'c-1', email: 'b' })];
  const sealed = await sealing.seal([one, other]);
  const moved = { event: { ...one.envelope, payload: sealed.get(other)?.payload } };
  const kept = { event: { ...other.envelope, payload: sealed.get(other)?.payload } };
  const [first, second] = await sealing.open([moved, kept]);
  assert.is(((first as { fault?: unknown }).fault as Problem).code, 'sealed-value-refused');
  assert.equal(second, { payload: { customerId: 'c-1', email: 'b' } });
});

test('a value of a map cannot be moved to another key of it', async () => {
  const { sealing } = setUp();
  const event = staged({ customerId: 'c-1', notes: { 'a/b': 'late', 'a~b': 'loud' } });
  const { notes } = ((await sealing.seal([event])).get(event)?.payload ?? {}) as {
    readonly notes: Record<string, string>;
  };
  for (const [from, to] of [
    ['a/b', 'ab'],
    ['a/b', 'a~1b'],
    ['a~b', 'a~0b'],
  ] as const) {
    const payload = { customerId: 'c-1', notes: { [to]: notes[from] } };
    const [opened] = await sealing.open([{ event: { ...event.envelope, payload } }]);
    assert.ok(opened !== undefined && 'fault' in opened, `${from} to ${to}`);
  }
});

test('a plain value in place of a sealed one is refused, unless the field had no subject when the event was stored', async () => {
  const { sealing } = setUp();
  const event = staged(booked);
  const { payload, fields: noted } = (await sealing.seal([event])).get(event) ?? {
    payload: null,
    fields: [],
  };
  assert.equal(noted, ['email', 'guests/*/name', 'notes/*']);
  const opened = async (changed: object, sealed?: readonly string[], isForeign = false) => {
    const read = {
      ...event.envelope,
      payload: { ...(payload as object), ...changed },
      ...(sealed !== undefined && { sealed }),
    };
    const [found] = await sealing.open([{ event: read, isForeign }]);
    return found !== undefined && 'fault' in found ? (found.fault as Problem) : found?.payload;
  };
  const changed = { email: 'eve@example.org' };
  const refused = await opened(changed, noted);
  assert.is((refused as Problem).code, 'sealed-value-refused');
  assert.match(
    (refused as Problem).message,
    /\/email of event .* was stored encrypted, but is plain text now/,
  );
  assert.not.match((refused as Problem).message, /eve@/);
  for (const odd of [null, 5, {}, 'x'])
    assert.is(
      ((await opened(changed, odd as unknown as readonly string[])) as Problem).code,
      'sealed-value-refused',
    );
  assert.equal(await opened(changed), { ...booked, ...changed });
  assert.equal(await opened(changed, ['notes/*']), { ...booked, ...changed });
  assert.equal(await opened({ email: null }, noted), { ...booked, email: null });
  assert.is(((await opened(changed, noted, true)) as typeof booked).email, 'eve@example.org');
});

test('an event that does not name the subject of a value is refused', async () => {
  const { sealing } = setUp();
  for (const customerId of [undefined, null, '', 7, 'x'.repeat(1_001), 'a\0']) {
    const refusal = await thrownBy(() => sealing.seal([staged({ customerId, email: 'ada' })]));
    assert.is(refusal.code, 'invalid-event');
    assert.match(refusal.message, /customerId must be the id of its subject/);
    assert.not.match(refusal.message, /ada/);
  }
  await sealing.seal([staged({ email: null })]);
});

test('no subject has the name of a key of the runtime', async () => {
  const { sealing } = setUp();
  for (const customerId of ['archive:0', 'webhook:c-1']) {
    const refusal = await thrownBy(() => sealing.seal([staged({ customerId, email: 'ada' })]));
    assert.is(refusal.code, 'invalid-event');
    assert.match(refusal.message, /customerId must not begin with archive: or webhook:/);
  }
});

test('a value that cannot be stored is refused', async () => {
  const { sealing } = setUp();
  const refusal = await thrownBy(() => sealing.seal([staged({ customerId: 'c-1', email: 'a\0' })]));
  assert.is(refusal.code, 'invalid-event');
});

test('payloads of any other shape are stored and read without an error', () =>
  fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (email, guests) => {
      const { sealing } = setUp();
      const payload = { customerId: 'c-1', email, guests: typeof guests === 'object' ? null : guests };
      const event = staged(payload);
      const sealed = (await sealing.seal([event]).catch(() => undefined))?.get(event);
      if (sealed === undefined) return;
      const [opened] = await sealing.open([{ event: { ...event.envelope, payload: sealed.payload } }]);
      assert.equal(JSON.stringify(opened), JSON.stringify({ payload }));
    }),
  ));
