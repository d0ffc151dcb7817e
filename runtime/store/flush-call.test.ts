import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { EncodedUnit } from './encode-unit.js';
import { answersOf, commitCall, flushParameters } from './flush-call.js';

const test = suite('flush');

test('the call has a placeholder for every parameter, and four for the result', () => {
  const parameters = flushParameters(writer, 1, 'host', [unit({})]);
  assert.is(commitCall.match(/\$\d+/g)?.length, parameters.length);
  assert.is(commitCall.match(/NULL/g)?.length, 4);
});

test('a flush has its writer and its number', () => {
  assert.equal(flushParameters(writer, 7, 'host', []).slice(0, 3), [writer, 7, 'host']);
});

test('a stream is named once, however many units use it', () => {
  const parameters = flushParameters(writer, 1, 'host', [
    unit({ expected: new Map([[order, 3]]), events: [eventIn(order), eventIn(invoice)] }),
    unit({ events: [eventIn(order)] }),
  ]);
  assert.equal(elements(parameters[3]), [order, invoice].map(hex));
  assert.equal(elements(parameters[11]), ['00000001']);
  assert.equal(elements(parameters[12]), ['0000000000000003']);
  assert.equal(elements(parameters[13]), ['00000001', '00000002', '00000001']);
});

test('every unit has its lengths in the shared lists', () => {
  const parameters = flushParameters(writer, 1, 'host', [
    unit({ expected: new Map([[order, 0]]), events: [eventIn(order), eventIn(order)] }),
    unit({ records: [record] }),
  ]);
  assert.equal(elements(parameters[4]), ['00000001', '00000000']);
  assert.equal(elements(parameters[5]), ['00000002', '00000000']);
  assert.equal(elements(parameters[6]), ['00000000', '00000001']);
});

test('a unit without a key leaves its outcome empty', () => {
  const outcome = { key: Buffer.of(1), fingerprint: Buffer.of(2), status: 204, body: null };
  const parameters = flushParameters(writer, 1, 'host', [unit({}), unit({ outcome })]);
  assert.equal(elements(parameters[7]), [null, '01']);
  assert.equal(elements(parameters[8]), [null, '02']);
  assert.equal(elements(parameters[9]), [null, '00cc']);
  assert.equal(elements(parameters[10]), [null, null]);
});

test('without keys and explicit times, their lists are empty', () => {
  const parameters = flushParameters(writer, 1, 'host', [unit({ events: [eventIn(order)] })]);
  for (const index of [7, 8, 9, 10, 18]) assert.equal(elements(parameters[index]), []);
  const dated = { ...eventIn(order), occurredAt: Date.UTC(2000, 0, 1) };
  const [, , , ...lists] = flushParameters(writer, 1, 'host', [unit({ events: [eventIn(order), dated] })]);
  assert.equal(elements(lists[15]), [null, '0000000000000000']);
});

test('every unit gets its own outcome and the positions of its own events', () => {
  const units = [
    unit({ events: [eventIn(order), eventIn(order)] }),
    unit({ events: [eventIn(order)] }),
    unit({}),
    unit({ events: [eventIn(order)] }),
    unit({ events: [eventIn(invoice)] }),
  ];
  const at = '2026-03-01 09:30:00.1+00';
  const recordedAt = '2026-03-01T09:30:00.1Z';
  assert.equal(answersOf(['{1,2,1,3,4}', '{5,6,NULL,NULL,1}', '{10,11,NULL,NULL,3}', at], units), [
    { status: 'committed', positions: [5, 6], globalPositions: [10, 11], recordedAt },
    { status: 'conflict' },
    { status: 'committed', positions: [], globalPositions: [], recordedAt },
    { status: 'key-taken' },
    { status: 'committed', positions: [1], globalPositions: [3], recordedAt: null },
  ]);
});

test('a flush without events has empty lists of positions', () => {
  const answer = {
    status: 'committed',
    positions: [],
    globalPositions: [],
    recordedAt: '2026-03-01T09:30:00Z',
  };
  assert.equal(answersOf(['{1}', '{}', '{}', '2026-03-01 09:30:00+00'], [unit({})]), [answer]);
});

const writer = '00000000-0000-7000-8000-0000000000aa';
const order = '00000000-0000-7000-8000-000000000001';
const invoice = '00000000-0000-7000-8000-000000000002';
const message = { id: order, type: 'OrderShipped', data: '{}', metadata: '{}' };
const record = { ...message, publish: true, of: 0 };

const eventIn = (streamId: string) => ({ ...message, streamId, occurredAt: null });

const unit = (init: Partial<EncodedUnit>): EncodedUnit => ({
  events: [],
  records: [],
  expected: new Map(),
  outcome: undefined,
  bytes: 0,
  ...init,
});

const hex = (id: string): string => id.replaceAll('-', '');

/** The elements of a binary array, as hexadecimal text. */
function elements(array: unknown): (string | null)[] {
  assert.ok(Buffer.isBuffer(array));
  const list: (string | null)[] = [];
  for (let at = 20; at < array.length;) {
    const length = array.readInt32BE(at);
    at += 4;
    list.push(length < 0 ? null : array.toString('hex', at, at + length));
    at += Math.max(0, length);
  }
  return list;
}
