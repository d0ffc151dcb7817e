import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Lru } from './lru.js';

const test = suite('LRU');

test('the most recently used entry stays', () => {
  const lru = new Lru<number>(2, 100);
  lru.set('a', 1);
  lru.set('b', 2);
  assert.is(lru.get('a'), 1);
  lru.set('c', 3);
  assert.equal(
    ['a', 'b', 'c'].map((key) => lru.get(key)),
    [1, undefined, 3],
  );
});

test('it never exceeds its limits', () => {
  const lru = new Lru<number>(1_000, 1_000_000);
  for (let n = 0; n < 5_000; n++) lru.set(`document ${n}`, n);
  assert.is(lru.size, 1_000);
  assert.is(lru.get('document 3999'), undefined);
  assert.is(lru.get('document 4000'), 4_000);
});

test('long keys leave room for fewer entries', () => {
  const lru = new Lru<number>(1_000, 10);
  for (const key of ['aaaa', 'bbbb', 'cccc']) lru.set(key, 1);
  assert.equal(
    ['aaaa', 'bbbb', 'cccc'].map((key) => lru.get(key)),
    [undefined, 1, 1],
  );
  lru.set('a key longer than the room', 1);
  assert.is(lru.size, 0);
});

test('a key that is set again uses no second entry', () => {
  const lru = new Lru<number>(2, 4);
  lru.set('aa', 1);
  lru.set('aa', 2);
  lru.set('bb', 3);
  assert.equal(
    ['aa', 'bb'].map((key) => lru.get(key)),
    [2, 3],
  );
});

test('heavy values leave room for fewer entries, and what is deleted weighs nothing', () => {
  const lru = new Lru<number>(1_000, 10);
  lru.set('a', 1, 6);
  lru.set('b', 2, 4);
  lru.delete('a');
  lru.set('c', 3, 6);
  assert.equal(
    [...lru.entries()],
    [
      ['b', 2],
      ['c', 3],
    ],
  );
  lru.set('b', 4, 5);
  assert.equal([...lru.entries()], [['b', 4]]);
});
