import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { keyFromSeed, newSeed } from './ed25519.js';
import {
  bytesOfRotation,
  earlierKeysOf,
  type KeyRotation,
  rotationsText,
  rotationsTo,
  sentRotations,
  signRotation,
} from './key-rotation.js';

const test = suite('rotations of a key');

const store = newUuid();
const keys = Array.from({ length: 7 }, () => keyFromSeed(newSeed()));
const [first, second, third, , , , stranger] = keys as [(typeof keys)[0], ...typeof keys];
const hexOf = (key = first) => key.publicKey.toString('hex');
const one = signRotation(store, first, second ?? first, 10);
const two = signRotation(store, second ?? first, third ?? first, 20);
const count = (rotations: readonly KeyRotation[], to = third, from: string | undefined = hexOf()) =>
  rotationsTo(hexOf(to), rotationsText(rotations), { store, from }).length;

test('rotations lead from a known key to the present one, also over several', () => {
  assert.equal(rotationsTo(hexOf(third), rotationsText([one, two]), { store, from: hexOf() }), [one, two]);
  assert.equal(rotationsTo(hexOf(third), rotationsText([one, two]), { store, from: hexOf(second) }), [two]);
  assert.is(rotationsTo(hexOf(third), rotationsText([one, two]), { store, from: undefined }).length, 2);
  assert.equal(
    [count([one, two], second), count([two]), count([one, two], third, hexOf(stranger))],
    [0, 0, 0],
  );
});

test('a rotation counts only if both keys have signed it, for this store and this position', () => {
  const half = (previous: KeyRotation, next: KeyRotation) =>
    previous.proof.slice(0, 128) + next.proof.slice(128);
  const forged = signRotation(store, stranger ?? first, second ?? first, 10);
  const altered: readonly KeyRotation[] = [
    { ...one, upTo: 11 },
    { ...one, proof: '00'.repeat(128) },
    { ...one, proof: half(one, forged) },
    { ...one, proof: half(forged, one) },
    { ...one, proof: one.proof.slice(128) + one.proof.slice(0, 128) },
    signRotation(newUuid(), first, second ?? first, 10),
  ];
  assert.is(count([one], second), 1);
  for (const rotation of altered) assert.is(count([rotation], second), 0, JSON.stringify(rotation));
});

test('an earlier key never signs later positions than the one after it', () => {
  const late = signRotation(store, first, second ?? first, 20);
  assert.is(count([late, two]), 0);
  assert.equal([...earlierKeysOf(store, hexOf(third), [late, two])], [[hexOf(second), 20]]);
});

test('the earlier keys of a store are found back from its key; rows that nobody signed lead nowhere', () => {
  assert.equal(
    [...earlierKeysOf(store, hexOf(third), [one, two])],
    [
      [hexOf(second), 20],
      [hexOf(), 10],
    ],
  );
  const invented = { previousKey: hexOf(stranger), publicKey: hexOf(third), upTo: 900, proof: two.proof };
  assert.equal([...earlierKeysOf(store, hexOf(third), [one, two, invented])].length, 2);
  assert.is(earlierKeysOf(store, hexOf(stranger), [one, two]).size, 0);
});

test('only the newest rotations are sent, in fewer than 1,000 characters', () => {
  const all = keys.slice(1).map((key, n) => signRotation(store, keys[n] ?? first, key, n));
  const text = rotationsText(all);
  assert.ok(text.length < 1_000, String(text.length));
  const sent = rotationsTo(hexOf(stranger), text, { store, from: undefined });
  assert.equal(sent, all.slice(-sentRotations));
  assert.is(rotationsText([]), '');
});

test('two different rotations never have the same bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '0'), maxLength: 3 });
  const stated = fc.record({ previousKey: text, publicKey: text, upTo: fc.nat({ max: 11 }) });
  fc.assert(
    fc.property(stated, stated, text, text, (a, b, storeA, storeB) => {
      const same = bytesOfRotation(storeA, a).equals(bytesOfRotation(storeB, b));
      assert.is(same, JSON.stringify([storeA, a]) === JSON.stringify([storeB, b]));
    }),
  );
});

test('garbage leads nowhere, and never throws', () => {
  const genuine = Buffer.from(rotationsText([one, two]), 'base64');
  const broken = fc
    .tuple(fc.nat({ max: genuine.length - 1 }), fc.integer({ min: 1, max: 255 }))
    .map(([at, by]) => {
      const bytes = Buffer.from(genuine);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      return bytes.toString('base64');
    });
  const garbage = fc.oneof(fc.string(), fc.base64String(), fc.constant('A'.repeat(1_000_000)), broken);
  fc.assert(
    fc.property(garbage, (text) => {
      assert.is(rotationsTo(hexOf(third), text, { store, from: hexOf() }).length, 0);
    }),
  );
});
