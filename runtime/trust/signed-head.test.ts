import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { headBytes } from './signed-head.js';

const test = suite('signed heads');

/** Few letters, so that parts of neighbors often look alike. */
const text = fc.string({ unit: fc.constantFrom('0', '1', '-', 'a'), maxLength: 4 });
const head = fc.record({ store: text, position: fc.nat({ max: 120 }), hash: text, at: text });

test('two different heads never have the same bytes', () => {
  fc.assert(
    fc.property(head, head, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      assert.is(headBytes(one).equals(headBytes(other)), isSame);
    }),
    { numRuns: 5_000 },
  );
});

test('a character that moves into its neighbor changes the bytes', () => {
  const one = { store: 'a', position: 11, hash: '1a', at: '0' };
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, position: 1, hash: '11a' })));
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, store: 'a1', position: 1 })));
  assert.not.ok(headBytes(one).equals(headBytes({ ...one, hash: '1', at: 'a0' })));
});

test.run();
