import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Memo } from './memo.js';

const test = suite('memo');

const counted = () => {
  let times = 0;
  return { make: () => ++times };
};

test('the same inputs make a thing once, another object makes it again', () => {
  const memo = new Memo();
  const { make } = counted();
  const input = {};
  assert.is(memo.of('a', [input], undefined, make), 1);
  assert.is(memo.of('a', [input], undefined, make), 1);
  assert.is(memo.of('a', [{}], undefined, make), 2);
});

test('another answer to what was asked makes it again', () => {
  const memo = new Memo();
  const lengthIn = (types: ReadonlyMap<string, string>) =>
    memo.of('length', [], types, (ask) => ({ length: ask((all) => all.get('a'))?.length }));
  const first = lengthIn(new Map([['a', 'one']]));
  assert.is(
    lengthIn(
      new Map([
        ['a', 'one'],
        ['b', 'unasked'],
      ]),
    ),
    first,
  );
  assert.equal(lengthIn(new Map([['a', 'three']])), { length: 5 });
});

test('what asking does to the context is done each time', () => {
  const memo = new Memo();
  const use = (used: Set<string>) => memo.of('x', [], used, (ask) => ask((all) => all.add('helper').size));
  const [first, second] = [new Set<string>(), new Set<string>()];
  use(first);
  use(second);
  assert.equal([...second], ['helper']);
});

test('what was not used in a turn is forgotten in the next', () => {
  const memo = new Memo();
  const { make } = counted();
  memo.of('a', [], undefined, make);
  memo.turn();
  assert.is(memo.of('a', [], undefined, make), 1);
  memo.turn();
  memo.turn();
  assert.is(memo.of('a', [], undefined, make), 2);
});

test.run();
