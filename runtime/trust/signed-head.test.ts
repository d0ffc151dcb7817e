import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { keyFromSeed, newSeed } from './ed25519.js';
import { headBytes, isSigned, readSignedHead, signHead } from './signed-head.js';

const test = suite('signed heads');

const history = { epoch: 2, forks: '2:7', publishedTo: 9 };
const length = 12;
const digits = fc.string({ unit: fc.constantFrom('1', '2'), minLength: length, maxLength: length });
/** Where a text is cut into four; a position has at least one digit. */
const cuts = fc
  .tuple(fc.nat({ max: length - 1 }), fc.nat({ max: length }), fc.nat({ max: length }))
  .map(([start, one, other]) => {
    const end = Math.max(start + 1, Math.min(one, other));
    return [start, end, Math.max(end, one, other)] as const;
  });

const headOf = (text: string, [start, end, last]: readonly [number, number, number]) => ({
  store: text.slice(0, start),
  position: Number(text.slice(start, end)),
  hash: text.slice(end, last),
  at: text.slice(last),
  history,
});

test('two different heads never have the same bytes, also when their texts in a row are the same', () => {
  fc.assert(
    fc.property(digits, cuts, digits, cuts, fc.boolean(), (text, here, other, there, isSameText) => {
      const [one, two] = [headOf(text, here), headOf(isSameText ? text : other, there)];
      const isSame = JSON.stringify(one) === JSON.stringify(two);
      assert.is(headBytes(one).equals(headBytes(two)), isSame);
    }),
  );
});

test('a character that moves into its neighbor changes the bytes', () => {
  const one = { store: 'a', position: 11, hash: '1a', at: '0', history };
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, position: 1, hash: '11a' })));
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, store: 'a1', position: 1 })));
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, hash: '1', at: 'a0' })));
});

test('the history of the log is part of the bytes', () => {
  const one = { store: 'a', position: 1, hash: '1', at: '0' };
  const bytes = [
    { epoch: 2, forks: '2:1', publishedTo: 11 },
    { epoch: 22, forks: '2:1', publishedTo: 11 },
    { epoch: 2, forks: '2:11', publishedTo: 1 },
    { epoch: 2, forks: '2:1', publishedTo: 12 },
  ].map((stated) => headBytes({ ...one, history: stated }).toString('hex'));
  assert.is(new Set(bytes).size, bytes.length);
});

const key = { storeId: newUuid(), ...keyFromSeed(newSeed()) };
const signed = signHead({ position: 7, hash: 'ab'.repeat(32), at: '2026-03-01T09:30:00.000Z', history }, key);

test('a signed head can be read, and holds', () => {
  assert.equal(readSignedHead(JSON.parse(JSON.stringify(signed))), signed);
  assert.ok(isSigned(signed));
});

for (const [what, change] of [
  ['another position', { position: 8 }],
  ['another hash', { hash: 'ac'.repeat(32) }],
  ['another time', { at: '2026-03-01T09:30:00.001Z' }],
  ['another store', { store: newUuid() }],
  ['another key', { publicKey: keyFromSeed(newSeed()).publicKey.toString('hex') }],
  ['another epoch', { history: { ...history, epoch: 3 } }],
  ['other forks', { history: { ...history, forks: '2:1' } }],
  ['a garbage signature', { signature: '07'.repeat(64) }],
] as const) {
  test(`with ${what} a head is not signed`, () => {
    assert.not.ok(isSigned({ ...signed, ...change }));
  });
}

test('whatever has another form is no signed head, and never throws', () => {
  for (const name of Object.keys(signed)) {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const read = readSignedHead({ ...signed, [name]: value });
        assert.ok(read === undefined || !isSigned(read) || read[name as keyof typeof read] === value);
      }),
    );
    assert.is(readSignedHead({ ...signed, [name]: undefined }), undefined);
  }
  for (const wrong of [
    null,
    {},
    { ...history, epoch: 0 },
    { ...history, forks: '2' },
    { epoch: 2, forks: '' },
  ])
    assert.is(readSignedHead({ ...signed, history: wrong }), undefined);
  fc.assert(fc.property(fc.anything(), (value) => void readSignedHead(value)));
});
