import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { filesOfShard, parseShard } from './shard.js';

const test = suite('shard');

test('a shard is a number and of how many', () => {
  assert.equal(parseShard('2/4'), { number: 2, of: 4 });
  for (const text of ['0/4', '5/4', '1', '1/0', 'a/b', '1/4/2']) assert.is(parseShard(text), undefined);
});

test('every file is in exactly one shard, and live files are spread evenly', () => {
  const files = ['a.live', 'b', 'c.live', 'd', 'e.live', 'f.live', 'g'].map((name) => `${name}.test.js`);
  const parts = [1, 2].map((number) => filesOfShard(files, { number, of: 2 }, new Map()));
  assert.equal(parts.flat().toSorted(), files);
  assert.equal(
    parts.map((part) => part.filter((file) => file.includes('.live.')).length),
    [2, 2],
  );
});

test('shards whose files are all remembered take as long as each other', () => {
  const durations = new Map([
    ['a', 9],
    ['b', 4],
    ['c', 3],
    ['d', 2],
  ]);
  const files = [...durations.keys()];
  assert.equal(filesOfShard(files, { number: 1, of: 2 }, durations), ['a']);
  assert.equal(filesOfShard(files, { number: 2, of: 2 }, durations), ['b', 'c', 'd']);
});

test('a machine that remembers only some files deals them like one that remembers none', () => {
  const files = ['a', 'b', 'c'];
  const shard = { number: 1, of: 2 };
  assert.equal(filesOfShard(files, shard, new Map([['c', 99]])), filesOfShard(files, shard, new Map()));
});
