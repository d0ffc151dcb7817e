import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { sha256 } from './sha256.js';

const test = suite('sha256');

test('a digest has the 32 bytes of any other SHA-256, for text and for bytes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array()), (content) => {
      assert.equal(sha256(content), createHash('sha256').update(content).digest());
    }),
  );
  assert.is(sha256('').length, 32);
});
