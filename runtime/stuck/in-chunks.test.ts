import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { chunkAndRest, inChunks, restAfter } from './in-chunks.js';

const test = suite('chunks that lock the log');

test('the log is left to commands many times as long as a chunk took, at most two seconds', () => {
  assert.equal([restAfter(0, 9), restAfter(10, 9), restAfter(5_000, 9)], [0, 90, 2_000]);
});

test('chunks follow each other until one is the last', async () => {
  let left = 3;
  await inChunks(() => Promise.resolve(--left > 0));
  assert.is(left, 0);
});

test('no chunk follows once the signal has ended them', async () => {
  const ending = new AbortController();
  const more = () => Promise.resolve(true);
  assert.is(await chunkAndRest(more, 1, ending.signal), true);
  ending.abort();
  assert.is(await chunkAndRest(more, 1, ending.signal), false);
});
