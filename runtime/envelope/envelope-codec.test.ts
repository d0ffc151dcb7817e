import * as assert from 'uvu/assert';
import { pack } from 'msgpackr';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { decodeBytes, encodeEnvelope } from './envelope-codec.js';
import { plainLimits } from './validate-msgpack.js';
import { doubling } from '../testing/hostile-bytes.js';

const test = suite('codec');

const plain = (value: unknown): Uint8Array => encodeEnvelope(value as never);

function refusalOf(bytes: Uint8Array): string {
  try {
    decodeBytes(bytes);
  } catch (error) {
    return error instanceof Problem ? `${error.code}: ${error.message}` : String(error);
  }
  return 'taken';
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test('any JSON value is decoded as it was encoded', () => {
  const value = {
    texts: ['', 'é', 'x'.repeat(40), 'y'.repeat(300), 'z'.repeat(70_000)],
    numbers: [
      0,
      1,
      127,
      128,
      255,
      256,
      65_535,
      65_536,
      2 ** 31,
      2 ** 40,
      -1,
      -32,
      -33,
      -129,
      -40_000,
      -(2 ** 31),
      1.5,
    ],
    others: [null, true, false, [], {}, [[]], { a: { b: {} } }],
    long: Array.from({ length: 70_000 }, (_, n) => n % 100),
    wide: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key ${n}`, n])),
    wider: Object.fromEntries(Array.from({ length: 66_000 }, (_, n) => [`k${n}`, 0])),
  };
  assert.equal(decodeBytes(plain(value)), value);
});

test('an undefined part becomes null, as in JSON, and not an extension', () => {
  assert.equal(decodeBytes(plain({ list: [undefined], a: undefined })), { list: [null] });
});

test('references are rejected before they are followed: a few hundred bytes would become gigabytes', () => {
  const bomb = doubling(40);
  assert.ok(bomb.length < 1_000);
  assert.match(refusalOf(bomb), 'invalid-message: Extensions of msgpack are not accepted.');
});

test('neither an extension of any size at any place nor a binary value is decoded', () => {
  const extensions = [0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xc7, 0xc8, 0xc9].map((token) =>
    bytes(token, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  );
  const dated = pack({ at: new Date(0) });
  for (const body of [...extensions, dated, bytes(0xc1)])
    assert.match(refusalOf(body), 'Extensions of msgpack are not accepted.');
  assert.match(refusalOf(pack({ a: Buffer.from('bytes') })), 'Binary values are not accepted.');
});

test('a number that JSON cannot express is rejected, in either size', () => {
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const [short, long] = [Buffer.alloc(5, 0xca), Buffer.alloc(9, 0xcb)];
    short.writeFloatBE(number, 1);
    long.writeDoubleBE(number, 1);
    for (const body of [short, long])
      assert.match(refusalOf(body), 'invalid-message: A number is not finite.', String(number));
    assert.match(refusalOf(plain({ payload: { total: [number] } })), 'A number is not finite.');
  }
});

test('depth is bounded', () => {
  const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x91), bytes(1)]);
  assert.is(refusalOf(nested(plainLimits.depth)), 'taken');
  assert.match(
    refusalOf(nested(plainLimits.depth + 1)),
    'invalid-message: The message is nested deeper than 128 levels.',
  );
  assert.match(refusalOf(Buffer.alloc(1 << 20, 0x91)), 'nested deeper');
});

test('the number of values is bounded, and a false length costs nothing', () => {
  const list = (count: number, found = count) => {
    const head = Buffer.from([0xdd, 0, 0, 0, 0]);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([head, Buffer.alloc(found, 0x90)]);
  };
  assert.is(refusalOf(list(plainLimits.values - 1)), 'taken');
  assert.match(
    refusalOf(list(plainLimits.values)),
    'message-too-large: The message holds more than 262144 values.',
  );
  assert.match(refusalOf(list(0xffff_ffff, 3)), 'message-too-large');
  assert.match(refusalOf(bytes(0xdf, 0xff, 0xff, 0xff, 0xff)), 'message-too-large');
  assert.match(refusalOf(list(100, 3)), 'ends in the middle');
});

test('a body that ends early or late, or whose keys are not text, is rejected', () => {
  const whole = Buffer.from(plain({ text: 'bread', list: [1, 2.5] }));
  for (let length = 0; length < whole.length; length++)
    assert.match(refusalOf(whole.subarray(0, length)), 'invalid-message: ');
  assert.match(refusalOf(Buffer.concat([whole, bytes(1)])), 'does not end where');
  for (const key of [1, 0xc0, 0x90, 0x80, 0xcb])
    assert.match(refusalOf(bytes(0x81, key, 1)), 'A key is not text.');
});
