import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  bigints,
  booleans,
  bytes,
  ints,
  jsons,
  smallints,
  texts,
  timestamps,
  uuids,
} from './binary-arrays.js';

const test = suite('binary arrays');

test('an empty array has no dimension, and its type', () => {
  const types = {
    int4: 23,
    int2: 21,
    int8: 20,
    bool: 16,
    uuid: 2950,
    timestamptz: 1184,
    text: 25,
    json: 114,
    bytea: 17,
  };
  const encoders = [ints, smallints, bigints, booleans, uuids, timestamps, texts, jsons, bytes];
  const headers = encoders.map((encode) => encode([]).toString('hex'));
  assert.equal(
    headers,
    Object.values(types).map((type) => `${'0'.repeat(16)}${word(type)}`),
  );
});

test('a full array has one dimension, its type, its length and the lower bound 1', () => {
  assert.is(ints([7, -1]).toString('hex'), header(23, 2) + word(4) + word(7) + word(4) + 'ffffffff');
});

test('null is the length -1 without data', () => {
  assert.is(smallints([null, 2]).toString('hex'), header(21, 2) + 'ffffffff' + word(2) + '0002');
  assert.is(texts([null]).toString('hex'), header(25, 1) + 'ffffffff');
  assert.is(bytes([null, Buffer.of(9)]).toString('hex'), header(17, 2) + 'ffffffff' + word(1) + '09');
  assert.is(timestamps([null]).toString('hex'), header(1184, 1) + 'ffffffff');
});

test('text has its length in bytes, not in characters', () => {
  assert.is(texts(['ü', '']).toString('hex'), header(25, 2) + word(2) + 'c3bc' + word(0));
  assert.is(jsons(['{}']).toString('hex'), header(114, 1) + word(2) + '7b7d');
});

test('a bigint holds every safe integer', () => {
  const values = [0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  const buffer = bigints(values);
  const read = values.map((_, index) => Number(buffer.readBigInt64BE(20 + index * 12 + 4)));
  assert.equal(read, values);
});

test('a timestamp counts microseconds since 2000', () => {
  const buffer = timestamps([
    Date.UTC(2000, 0, 1),
    Date.UTC(2000, 0, 1, 0, 0, 1),
    Date.UTC(1999, 11, 31, 23, 59, 59),
  ]);
  const read = [0, 1, 2].map((index) => buffer.readBigInt64BE(24 + index * 12));
  assert.equal(read, [0n, 1_000_000n, -1_000_000n]);
});

test('a UUID is its sixteen bytes, a boolean one', () => {
  const id = '0190a6d2-1234-7abc-8def-0123456789ab';
  assert.is(uuids([id]).toString('hex'), header(2950, 1) + word(16) + id.replaceAll('-', ''));
  assert.is(booleans([true, false]).toString('hex'), header(16, 2) + word(1) + '01' + word(1) + '00');
});

test('bytes are unchanged', () => {
  assert.is(
    bytes([Uint8Array.of(0, 255), Buffer.of()]).toString('hex'),
    header(17, 2) + word(2) + '00ff' + word(0),
  );
});

test('a number that does not fit is rejected', () => {
  assert.throws(() => smallints([70_000]), RangeError);
  assert.throws(() => ints([2 ** 31]), RangeError);
});

const word = (value: number): string => value.toString(16).padStart(8, '0');

const header = (type: number, length: number): string =>
  word(1) + word(1) + word(type) + word(length) + word(1);
