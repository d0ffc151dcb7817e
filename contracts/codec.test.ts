import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import * as codec from './codec.js';
import type { Fault, Problem } from './problems.js';
import { suite } from './testing/suite.js';

const test = suite('codec');

const check = <T>(decode: (value: unknown, path: string, faults: Fault[]) => T, value: unknown) => {
  const faults: Fault[] = [];
  const decoded = decode(value, '/x', faults);
  return faults.length === 0 ? { decoded } : { faults: faults.map(({ message }) => message) };
};

const cases: readonly [
  string,
  (value: unknown, path: string, faults: Fault[]) => unknown,
  unknown,
  unknown,
][] = [
  [
    'an upper-case UUID becomes lower case',
    codec.uuid,
    'ABCDEF00-0000-0000-0000-00000000000A',
    'abcdef00-0000-0000-0000-00000000000a',
  ],
  [
    'the system stream id is a UUID',
    codec.uuid,
    '00000000-0000-0000-0000-000000000001',
    '00000000-0000-0000-0000-000000000001',
  ],
  ['a decimal may be sent as a number', codec.decimal, 4.1, '4.1'],
  ['a decimal of 15 digits may be sent as a number', codec.decimal, -123456789.012345, '-123456789.012345'],
  [
    'a decimal may be sent as text, and is kept exactly as written',
    codec.decimal,
    '12345678901234567890.10',
    '12345678901234567890.10',
  ],
  ['a 32-bit integer', codec.int, -2_147_483_648, -2_147_483_648],
  ['a safe integer', codec.long, 9_007_199_254_740_991, 9_007_199_254_740_991],
  [
    'a timestamp with offset',
    codec.timestamp,
    '2026-11-15T02:22:52.123456+01:00',
    '2026-11-15T02:22:52.123456+01:00',
  ],
  ['a boolean', codec.boolean, false, false],
  ['an emoji is well formed', codec.text, '🫖', '🫖'],
];
for (const [name, decode, value, decoded] of cases) {
  test(`${name}: accepted`, () => {
    assert.equal(check(decode, value), { decoded });
  });
}

const refusals: readonly [
  string,
  (value: unknown, path: string, faults: Fault[]) => unknown,
  unknown,
  string,
][] = [
  ['a missing value', codec.text, undefined, 'is required'],
  ['null', codec.text, null, 'must be a string'],
  ['U+0000', codec.text, 'a\0b', 'must not contain U+0000 or an unpaired surrogate'],
  ['an unpaired surrogate', codec.text, 'a\ud800b', 'must not contain U+0000 or an unpaired surrogate'],
  ['a number as UUID', codec.uuid, 7, 'must be a UUID'],
  ['2 to the 31', codec.int, 2_147_483_648, 'must be a 32-bit integer'],
  ['a fraction as integer', codec.int, 1.5, 'must be a 32-bit integer'],
  ['an unsafe integer', codec.long, 9_007_199_254_740_992, 'must be an integer'],
  ['30 February', codec.timestamp, '2026-02-30T00:00:00Z', 'must be an ISO 8601 timestamp with offset'],
  [
    'a time without offset',
    codec.timestamp,
    '2026-02-03T00:00:00',
    'must be an ISO 8601 timestamp with offset',
  ],
  ['text as boolean', codec.boolean, 'true', 'must be true or false'],
  ['an array as object', codec.object, [], 'must be an object'],
];
for (const [name, decode, value, message] of refusals) {
  test(`${name}: ${message}`, () => {
    assert.equal(check(decode, value), { faults: [message] });
  });
}

test('a fault names the limit', () => {
  assert.equal(
    check((v, p, f) => codec.int(v, p, f, { minimum: 1 }), 0),
    { faults: ['must be at least 1'] },
  );
  assert.equal(
    check((v, p, f) => codec.decimal(v, p, f, { maximum: 10 }), '10.01'),
    { faults: ['must be at most 10'] },
  );
  assert.equal(
    check((v, p, f) => codec.text(v, p, f, { minLength: 2, pattern: /^b/ }), 'a'),
    {
      faults: ['must have at least 2 characters', 'must match ^b'],
    },
  );
  assert.equal(
    check((v, p, f) => codec.array(v, p, f, codec.int, { minItems: 1 }), []),
    { faults: ['must have at least 1 item'] },
  );
});

test('all faults of a body are reported at once, each at its JSON Pointer', () => {
  try {
    codec.decodeBody((value, path, faults) => codec.array(value, path, faults, codec.int), [1, 'a', 2, null]);
    assert.unreachable();
  } catch (error) {
    assert.equal((error as Problem).errors, [
      { path: '/1', message: 'must be a 32-bit integer' },
      { path: '/3', message: 'must be a 32-bit integer' },
    ]);
  }
});

test('of more than a hundred faults the first hundred are listed, and all are counted', () => {
  const prices = Array.from({ length: 250 }, () => 'free');
  try {
    codec.decodeBody((value, path, faults) => codec.array(value, path, faults, codec.int), prices);
    assert.unreachable();
  } catch (error) {
    const { errors, extensions, detail } = error as Problem;
    assert.is(errors?.length, 100);
    assert.equal(extensions, { errorCount: 250 });
    assert.is(detail, '250 values are not valid; the first 100 are listed.');
  }
});

test('a map is copied, and its keys are checked', () => {
  const given = { 'a/b': 1, '~': 2 };
  assert.equal(
    check((v, p, f) => codec.map(v, p, f, codec.int), given),
    { decoded: given },
  );
  const faults: Fault[] = [];
  const from: unknown = JSON.parse(String.raw`{"a/~":"x","\u0000":1,"__proto__":1}`);
  assert.equal(Object.keys(codec.map(from, '', faults, codec.int)), ['a/~', '\0']);
  assert.equal(faults, [
    { path: '/a~1~0', message: 'must be a 32-bit integer' },
    { path: '/\0', message: 'must not contain U+0000 or an unpaired surrogate in its name' },
    { path: '/__proto__', message: 'must have another name' },
  ]);
});

test('any JSON value is copied, and its texts are checked', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      fc.pre(!/__proto__|\\u0000|\\ud[89a-f]/.test(JSON.stringify(value)));
      const faults: Fault[] = [];
      const copy = codec.json(value, '', faults);
      assert.equal(faults, []);
      assert.is(JSON.stringify(copy), JSON.stringify(value));
      assert.ok(typeof value !== 'object' || value === null || copy !== value);
    }),
  );
  assert.equal(check(codec.json, ['fine', 'a\0b', Number.NaN, () => 1]), {
    faults: [
      'must not contain U+0000 or an unpaired surrogate',
      'must be a JSON value',
      'must be a JSON value',
    ],
  });
});

test('only strict decoding reports undeclared properties', () => {
  const declared = new Set(['name']);
  const decode: codec.Decode<unknown> = (value, path, faults) => codec.object(value, path, faults, declared);
  const body = { name: 'tea', 'p/rice': 7 };
  assert.equal(codec.decodeBody(decode, body), body);
  assert.equal(codec.decodeStrictly(decode, { name: 'tea' }), { name: 'tea' });
  try {
    codec.decodeStrictly(decode, body);
    assert.unreachable();
  } catch (error) {
    assert.equal((error as Problem).errors, [{ path: '/p~1rice', message: 'is not known' }]);
  }
});

test('a property that every object inherits does not count as given', () => {
  assert.is(codec.own({}, 'toString'), undefined);
  assert.is(codec.own({ toString: 'tea' }, 'toString'), 'tea');
});

test('whatever it is given, a decoder reports faults and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const [, decode] of [...cases, ...refusals]) check(decode, value);
    }),
  );
});
