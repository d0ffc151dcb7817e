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
const hex = (changes: Partial<ChainedRecord & RecordContent> = {}, previous = genesis) =>
  hashAfter(previous, { ...record, ...changes }, digestOf({ ...content, ...changes })).toString('hex');

test('a hash covers the hash before, positions, time, id and the digest of every other column', () => {
  const previous = Buffer.alloc(32, 9);
  const lengths = Buffer.from('0000000e0000000b000000070000000501', 'hex');
  const digest = sha256(lengths, 'CommandAudited', '{"id":"ü"}', '{"v":1}', 'north');
  assert.equal(digestOf(content), digest);
  const positions = [long(7), long(5_000_000_000), long(3)];
  const expected = sha256(
    previous,
    ...positions,
    // Since the year 2000.
    long(825_672_600_123_456),
    record.eventId as Buffer,
    digest,
  );
  assert.is(hex({}, previous), expected.toString('hex'));
});

test('text and its bytes have the same digest', () => {
  const asBytes = { ...content, data: Buffer.from('{"id":"ü"}'), host: Buffer.from('north') };
  assert.equal(digestOf(asBytes), digestOf(content));
});

const changes: readonly Partial<ChainedRecord & RecordContent>[] = [
  { position: 8 },
  { originalPosition: 0 },
  { recordedAt: record.recordedAt + 1 },
  { eventId: Buffer.alloc(16) },
  { type: 'CommandFailed' },
  { data: '{"id":"u"}' },
  { metadata: '{"v":2}' },
  { host: 'south' },
  { publish: false },
  { globalPosition: 8 },
];

test('a change of any part changes the hash', () => {
  for (const change of changes) assert.is.not(hex(change), hex());
  assert.is.not(hex({}, Buffer.of(1)), hex());
});

test('a text that moves from one column to the next changes the digest', () => {
  const moved = { ...content, type: 'CommandAudited{', data: '"id":"ü"}' };
  assert.not.equal(digestOf(moved), digestOf(content));
});
