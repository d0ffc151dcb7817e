import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readTogether } from './read-together.js';

const test = suite('reading together');

test('what is asked for in one turn of the event loop is read at once, and what comes later is read again', async () => {
  const reads: (readonly number[])[] = [];
  const squareOf = readTogether(async (numbers: readonly number[]) => {
    reads.push(numbers);
    return new Map(numbers.filter((n) => n < 5).map((n) => [n, n * n]));
  });
  assert.equal(await Promise.all([1, 3, 3, 7].map(squareOf)), [1, 9, 9, undefined]);
  assert.is(await squareOf(3), 9);
  assert.equal(reads, [[1, 3, 7], [3]]);
});

test('a failure is that of everyone who asked, and the next one reads again', async () => {
  let fails = true;
  const read = readTogether(async (keys: readonly string[]) => {
    if (fails) throw new RangeError('no database');
    return new Map(keys.map((key) => [key, key]));
  });
  const both = await Promise.allSettled(['a', 'b'].map(read));
  assert.equal(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fails = false;
  assert.is(await read('a'), 'a');
});
