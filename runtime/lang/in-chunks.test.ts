import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { chunkAndRest, inChunks, restAfter, restsOfHosts, restsOfOperators } from './in-chunks.js';

const test = suite('chunks that lock the log');

test('the log is left to commands nine times as long as the chunk of a host took, at most two seconds', () => {
  assert.equal(
    [0, 10, 5_000].map((ms) => restAfter(ms, restsOfHosts)),
    [0, 90, 2_000],
  );
});

test('a chunk of an operator locks the log for at most a hundredth of the time', () => {
  assert.is(restAfter(10, restsOfOperators), 990);
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
