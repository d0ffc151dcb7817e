import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { RingBuffer } from './ring-buffer.js';

const test = suite('ring buffer');

test('a ring holds the latest items, newest first, and returns the evicted one', () => {
  const ring = new RingBuffer<string>(3);
  assert.equal([...ring.newestFirst()], []);
  const gone = ['a', 'b', 'c', 'd', 'e'].map((item) => ring.add(item));
  assert.equal(gone, [undefined, undefined, undefined, 'a', 'b']);
  assert.equal([...ring.newestFirst()], ['e', 'd', 'c']);
});
