import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { longOf, timeOf } from './binary-copy-values.js';

const test = suite('binary values');

const bytes = (value: bigint): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(value);
  return buffer;
};

test('a bigint is read exactly, negative ones too', () => {
  for (const value of [0n, 1n, -1n, 4_294_967_296n, 9_007_199_254_740_991n, -5_000_000_000n])
    assert.is(longOf(bytes(value)), Number(value));
});

test('anything but eight bytes is not a bigint', () => {
  assert.equal([longOf(null), longOf(undefined), longOf(Buffer.alloc(4))], [-1, -1, -1]);
});

test('times count from 1970', () => {
  assert.is(timeOf(bytes(0n)), Date.parse('2000-01-01T00:00:00Z') * 1000);
});
