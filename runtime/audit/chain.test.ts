import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type ChainedRecord, digestOf, genesis, hashAfter, type RecordContent } from './chain.js';

const test = suite('chain');

const record: ChainedRecord = {
  position: 7,
  globalPosition: 5_000_000_000,
  originalPosition: 3,
  recordedAt: 1_772_357_400_123_456,
  eventId: Buffer.from('018f0000000070008000000000000001', 'hex'),
};
const content: RecordContent = {
  type: 'CommandAudited',
  data: '{"id":"ü"}',
  metadata: '{"v":1}',
  host: 'north',
  publish: true,
};

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
};
const hex = (formula: 1 | 2, changes: Partial<ChainedRecord & RecordContent> = {}, previous = genesis) =>
  hashAfter(
    formula,
    previous,
    { ...record, ...changes },
    digestOf(formula, { ...content, ...changes }),
  ).toString('hex');

test('formula 1 covers the hash before, position, original position, time, id, type and text', () => {
  const previous = Buffer.alloc(32, 9);
  const digest = sha256('CommandAudited{"id":"ü"}');
  assert.equal(digestOf(1, content), digest);
  const { eventId } = record;
  const expected = sha256(previous, long(7), long(3), long(1_772_357_400_123_456), eventId as Buffer, digest);
  assert.is(hex(1, {}, previous), expected.toString('hex'));
});

test('formula 2 covers metadata, host, publish and the global position, too', () => {
  const previous = Buffer.alloc(32, 9);
  const lengths = Buffer.from('0000000e0000000b000000070000000501', 'hex');
  const digest = sha256(lengths, 'CommandAudited', '{"id":"ü"}', '{"v":1}', 'north');
  assert.equal(digestOf(2, content), digest);
  const positions = [long(7), long(5_000_000_000), long(3)];
  const expected = sha256(
    previous,
    ...positions,
    long(1_772_357_400_123_456),
    record.eventId as Buffer,
    digest,
  );
  assert.is(hex(2, {}, previous), expected.toString('hex'));
});

test('text and its bytes have the same digest', () => {
  const asBytes = { ...content, data: Buffer.from('{"id":"ü"}'), host: Buffer.from('north') };
  for (const formula of [1, 2] as const) assert.equal(digestOf(formula, asBytes), digestOf(formula, content));
});

const inBoth: readonly Partial<ChainedRecord & RecordContent>[] = [
  { position: 8 },
  { originalPosition: 0 },
  { recordedAt: record.recordedAt + 1 },
  { eventId: Buffer.alloc(16) },
  { type: 'CommandFailed' },
  { data: '{"id":"u"}' },
];

test('a change of any part that a formula covers changes the hash', () => {
  const onlyInSecond = [
    { metadata: '{"v":2}' },
    { host: 'south' },
    { publish: false },
    { globalPosition: 8 },
  ];
  for (const change of inBoth) assert.is.not(hex(1, change), hex(1));
  for (const change of [...inBoth, ...onlyInSecond]) assert.is.not(hex(2, change), hex(2));
  for (const formula of [1, 2] as const) assert.is.not(hex(formula, {}, Buffer.of(1)), hex(formula));
});

test('a text that moves from one column to the next changes the digest', () => {
  const moved = { ...content, type: 'CommandAudited{', data: '"id":"ü"}' };
  assert.equal(digestOf(1, moved), digestOf(1, content));
  assert.not.equal(digestOf(2, moved), digestOf(2, content));
});
