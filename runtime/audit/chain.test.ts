import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ChainedRecord, genesis, hashAfter } from './chain.js';

const test = suite('chain');

const record: ChainedRecord = {
  position: 7,
  originalPosition: 3,
  recordedAt: 1_772_357_400_123_456,
  eventId: Buffer.from('018f0000000070008000000000000001', 'hex'),
  content: 'CommandAudited{"id":"ü"}',
};

test('a hash covers the one before it, position, original position, time, id and the digest of type and text', () => {
  const long = (value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(value));
    return bytes;
  };
  const previous = Buffer.alloc(32, 9);
  const expected = createHash('sha256')
    .update(previous)
    .update(long(7))
    .update(long(3))
    .update(long(1_772_357_400_123_456))
    .update(record.eventId)
    .update(createHash('sha256').update('CommandAudited{"id":"ü"}').digest())
    .digest('hex');
  assert.is(hashAfter(previous, record).toString('hex'), expected);
  const asBytes = { ...record, content: Buffer.from('CommandAudited{"id":"ü"}') };
  assert.is(hashAfter(previous, asBytes).toString('hex'), expected);
});

test('any change of any part changes the hash', () => {
  const hash = hashAfter(genesis, record).toString('hex');
  const changes: Partial<ChainedRecord>[] = [
    { position: 8 },
    { originalPosition: 0 },
    { recordedAt: record.recordedAt + 1 },
    { eventId: Buffer.alloc(16) },
    { content: 'CommandAudited{"id":"u"}' },
  ];
  for (const change of changes)
    assert.is.not(hashAfter(genesis, { ...record, ...change }).toString('hex'), hash);
  assert.is.not(hashAfter(Buffer.of(1), record).toString('hex'), hash);
});

test.run();
