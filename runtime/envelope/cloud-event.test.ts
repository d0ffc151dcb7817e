import {
  assert as check,
  dictionary,
  integer,
  jsonValue,
  option,
  property,
  record,
  string,
  uuid,
} from 'fast-check';
import * as assert from 'uvu/assert';
import type { ChainLink, StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { cloudEventType, decodeCloudEvent, encodeCloudEvent } from './cloud-event.js';
import { decodeMessage, encodings } from './message-format.js';

const test = suite('cloud events');

const at = '2026-01-02T03:04:05.678Z';
const store = '018f0000-0000-7000-8000-00000000000a';

const event = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  messageId: '018f0000-0000-7000-8000-000000000001',
  messageType: 'OrderCreated',
  payload: { total: '12.50' },
  streamId: '018f0000-0000-7000-8000-000000000002',
  streamPosition: 3,
  globalPosition: 4_000_000_000,
  timestamp: at,
  occurredAt: at,
  recordedAt: at,
  store,
  host: 'north',
  v: 2,
  ...more,
});

const jsonOf = (envelope: StoredEvent): Record<string, unknown> =>
  JSON.parse(Buffer.from(encodeCloudEvent(envelope)).toString()) as Record<string, unknown>;

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

test('an event is a CloudEvent 1.0 in structured mode', () => {
  const scope = { tenantId: 'north' };
  const more = { correlationId: 'monday', causationId: 'c', traceparent: '00-1', scope };
  assert.equal(jsonOf(event(more)), {
    specversion: '1.0',
    id: '018f0000-0000-7000-8000-000000000001',
    source: `urn:uuid:${store}`,
    type: 'OrderCreated',
    subject: '018f0000-0000-7000-8000-000000000002',
    time: at,
    datacontenttype: 'application/json',
    correlationid: 'monday',
    causationid: 'c',
    traceparent: '00-1',
    store,
    host: 'north',
    streamposition: '3',
    globalposition: '4000000000',
    occurredat: at,
    recordedat: at,
    dataversion: 2,
    scope: '{"tenantId":"north"}',
    data: { total: '12.50' },
  });
});

test('its attributes have names and types that CloudEvents allow', () => {
  const chain: ChainLink = {
    hash: 'a'.repeat(64),
    digest: 'b'.repeat(64),
    originalPosition: 5_000_000_000,
    metadata: '{"v":1}',
  };
  const { data: _, ...attributes } = jsonOf(event({ chain, count: 7, depth: 2, scope: { tenantId: null } }));
  for (const [name, value] of Object.entries(attributes)) {
    assert.match(name, /^[a-z0-9]{1,20}$/);
    if (typeof value === 'number') assert.ok(Number.isInteger(value) && value < 2 ** 31, name);
    else assert.type(value, 'string', name);
  }
});

test('whatever an envelope holds, it is read as it was written, in both formats', () => {
  const text = string({ minLength: 1, maxLength: 40 });
  const envelopes = record({
    payload: jsonValue({ maxDepth: 5 }),
    streamPosition: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    correlationId: option(text, { nil: undefined }),
    causationId: option(text, { nil: undefined }),
    traceparent: option(text, { nil: undefined }),
    tracestate: option(text, { nil: undefined }),
    count: option(integer({ min: 1, max: 1_000 }), { nil: undefined }),
    depth: option(integer({ min: 1, max: 32 }), { nil: undefined }),
    scope: option(dictionary(text, option(text)), { nil: undefined }),
    chain: option(
      record(
        {
          hash: uuid(),
          digest: uuid(),
          originalPosition: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
          metadata: text,
        },
        { requiredKeys: ['hash', 'digest', 'originalPosition'] },
      ),
      { nil: undefined },
    ),
  });
  // A decoder of msgpack renames this key, so that nobody's prototype is set.
  const usual = envelopes.filter((more) => !JSON.stringify(more).includes('__proto__'));
  check(
    property(usual, (more) => {
      const envelope = event(more as Partial<StoredEvent>);
      const expected = JSON.parse(JSON.stringify(envelope)) as unknown;
      for (const { encode, headers } of Object.values(encodings)) {
        const decoded = decodeMessage(encode(envelope), headers['content-type']);
        assert.equal(JSON.parse(JSON.stringify(decoded)), expected);
      }
    }),
  );
});

test('the content type decides, with parameters and in any case', () => {
  const body = encodeCloudEvent(event());
  for (const type of [cloudEventType, 'Application/CloudEvents+JSON; charset=utf-8'])
    assert.is((decodeMessage(body, type) as StoredEvent).messageType, 'OrderCreated');
  for (const type of [undefined, '', 'application/json', 'application/cloudevents+jsonx'])
    assert.throws(() => decodeMessage(body, type), undefined, type);
});

const refused: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
  'text that is not JSON': [Buffer.from('{"specversion"'), /is not JSON/],
  'bytes that are not UTF-8': [Buffer.from([0x7b, 0xff, 0x7d]), /is not UTF-8/],
  'an empty body': [Buffer.alloc(0), /is not JSON/],
  'a list': [bytesOf([jsonOf(event())]), /is not a CloudEvent/],
  'another version': [bytesOf({ ...jsonOf(event()), specversion: '0.3' }), /is not a CloudEvent/],
  'binary data': [bytesOf({ ...jsonOf(event()), data_base64: 'AA==' }), /must be JSON/],
  'other data': [bytesOf({ ...jsonOf(event()), datacontenttype: 'text/xml' }), /must be JSON/],
  'a foreign source': [
    bytesOf({ ...jsonOf(event()), source: `urn:uuid:${newUuid()}` }),
    /contradicts its store/,
  ],
  'a body that is too deep': [Buffer.from('['.repeat(200) + ']'.repeat(200)), /nested deeper than 128/],
  'too many values': [Buffer.from(`[${'1,'.repeat(300_000)}1]`), /holds more than/],
};

for (const [what, [body, why]] of Object.entries(refused)) {
  test(`${what} is refused`, () => {
    assert.throws(
      () => decodeCloudEvent(body),
      (error: unknown) => error instanceof Problem && why.test(error.detail ?? ''),
    );
  });
}
