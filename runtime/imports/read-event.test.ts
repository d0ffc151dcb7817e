import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { checkHeader, headerLine } from './event-file.js';
import { readEvent } from './read-event.js';

const test = suite('lines of an import');

const now = Date.parse('2026-03-01T00:00:00Z');
const id = '0190b5d4-0000-7000-8000-000000000001';
const fields = {
  streamId: id,
  streamPosition: 1,
  eventId: id,
  eventType: 'OrderCreated',
  occurredAt: '2024-05-01T10:00:00.123456+02:00',
  data: { total: '1.50' },
};

const read = (text: string) => readEvent({ number: 3, text, bytes: text.length }, now);

function refusal(text: string): string {
  try {
    read(text);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

const refusalOf = (over: object): string => refusal(JSON.stringify({ ...fields, ...over }));

test('an event keeps its ids, its time to the microsecond, and its data', () => {
  const metadata = { scope: { tenantId: 'acme' }, correlationId: 'c', v: 2 };
  const event = read(
    JSON.stringify({ ...fields, metadata, host: 'old', globalPosition: 7, recordedAt: 'x' }),
  );
  assert.is(event.occurredAt, 1_714_550_400_123_456n);
  assert.equal([event.streamId, event.streamPosition, event.eventId, event.host], [id, 1, id, 'old']);
  assert.is(event.data, '{"total":"1.50"}');
  assert.is(event.metadata, JSON.stringify(metadata));
});

test('without metadata it has version 1, and without a position it follows its stream', () => {
  const event = read(JSON.stringify({ ...fields, streamPosition: undefined }));
  assert.equal([event.metadata, event.streamPosition, event.host], ['{"v":1}', undefined, 'import']);
});

test('any data is stored as it is', () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (data) => {
      const text = JSON.stringify({ ...fields, data });
      const isRefused = /\\u0000|__proto__/.test(text);
      if (!isRefused) assert.is(read(text).data, JSON.stringify(JSON.parse(JSON.stringify(data))));
    }),
  ));

for (const [what, over, why] of [
  ['an unknown field', { when: 'x' }, /an event has no field "when"/],
  ['no stream', { streamId: undefined }, /"streamId" must be a UUID/],
  ['the stream of the system', { streamId: '00000000-0000-0000-0000-000000000001' }, /\$svc-system/],
  ['a position of 0', { streamPosition: 0 }, /"streamPosition" must be a whole number from 1 on/],
  ['half a position', { streamPosition: 1.5 }, /"streamPosition"/],
  ['a position as text', { streamPosition: '1' }, /"streamPosition"/],
  ['an id that is not a UUID', { eventId: '7' }, /"eventId" must be a UUID/],
  ['an id in upper case', { eventId: id.toUpperCase() }, /in lower case/],
  ['a type with a dot', { eventType: 'order.created' }, /"eventType" must be the name of a class/],
  ['a type that ends a subject', { eventType: 'Order>' }, /"eventType"/],
  ['an empty type', { eventType: '' }, /"eventType"/],
  [
    'a system message',
    { eventType: 'EventAudited' },
    /system messages such as "EventAudited" are not imported/,
  ],
  ['a time without an offset', { occurredAt: '2024-05-01T10:00:00' }, /"occurredAt" must be a time/],
  ['February 30', { occurredAt: '2024-02-30T10:00:00Z' }, /"occurredAt"/],
  ['the future', { occurredAt: '2026-03-01T00:06:00Z' }, /more than 5 minutes in the future/],
  ['the year 0', { occurredAt: '0000-03-01T00:00:00Z' }, /before the year 1/],
  ['data that is a list', { data: [] }, /"data" must be a JSON object/],
  ['no data', { data: null }, /"data"/],
  ['NUL in data', { data: { a: 'a\0' } }, /U\+0000/],
  ['NUL in metadata', { metadata: { scope: { 'a\0': 'b' } } }, /U\+0000/],
  ['NUL in the host', { host: '\0' }, /"host"/],
  ['an unpaired surrogate', { data: { a: '\ud800' } }, /surrogates/],
  [
    'a scope of numbers',
    { metadata: { scope: { tenantId: 1 } } },
    /"metadata.scope" must be an object of texts/,
  ],
  ['the tenant of the service', { metadata: { scope: { tenantId: '*' } } }, /names no tenant/],
  ['a tenant without a name', { metadata: { scope: { tenantId: '' } } }, /names no tenant/],
  ['unknown metadata', { metadata: { salt: 'x' } }, /"metadata" has no field "salt"/],
  ['metadata with a name of Object', { metadata: { constructor: {} } }, /"metadata" has no field/],
  ['version 0', { metadata: { v: 0 } }, /"metadata.v"/],
  ['metadata that is a text', { metadata: 'x' }, /"metadata" must be a JSON object/],
] as const)
  test(`${what} is refused with its line`, () => {
    const answer = refusalOf(over);
    assert.match(answer, /^Line 3: [^\n]+\.$/);
    assert.match(answer, why);
  });

test('what is no JSON object, or would change when it is read, is refused without its values', () => {
  for (const text of ['', '{', '[]', '"secret"', 'null', '{"a":secret}'])
    assert.is(refusal(text), 'Line 3: it is not a JSON object.');
  const proto = JSON.stringify(fields).replace('"total"', '"__proto__"');
  assert.match(refusal(proto), /"__proto__"/);
  const long = JSON.stringify(fields).replace('"1.50"', '12345678901234567890');
  assert.match(refusal(long), /the number 12345678901234567890 has more digits than/);
  const deep = JSON.stringify(fields).replace('"1.50"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  assert.match(refusal(deep), /"data" is nested more than 64 deep/);
});

test('a file begins with a header of this version', () => {
  checkHeader('{"format":"svc-events","v":1}');
  checkHeader('\uFEFF{"format":"svc-events","v":1}');
  checkHeader(headerLine({ head: 3, exportedAt: '2026-03-01T00:00:00Z' }));
  for (const [text, why] of [
    [undefined, /^Line 1: it must be the header/],
    ['{"streamId":"x"}', /^Line 1: it must be the header/],
    ['{"format":"svc-events","v":2}', /^Line 1: the file has another version of the format than 1/],
    ['{"format":"svc-events"}', /^Line 1: the file has another version /],
    [
      `{"format":"svc-events","v":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      /^Line 1: the file has another version /,
    ],
  ] as const)
    assert.throws(
      () => checkHeader(text),
      (error: Error) => why.test(error.message),
    );
});
