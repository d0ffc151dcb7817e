import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { Memo } from './memo.js';

const test = suite('memo');

const counted = () => {
  let times = 0;
  return { make: () => ++times };
};

const object = {};

test('a value is made once per object and inputs, for each kind', () => {
  const memo = new Memo();
  const { make } = counted();
  assert.is(memo.of('a', object, [true], undefined, make), 1);
  assert.is(memo.of('a', object, [true], undefined, make), 1);
  assert.is(memo.of('a', object, [false], undefined, make), 2);
  assert.is(memo.of('a', {}, [false], undefined, make), 3);
  assert.is(memo.of('b', object, [false], undefined, make), 4);
});

test('a different answer to a question makes the value again', () => {
  const memo = new Memo();
  const lengthIn = (types: ReadonlyMap<string, string>) =>
    memo.of('length', object, [], types, (ask) => ({ length: ask((all) => all.get('a'))?.length }));
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

test('the effects of questions on the context are repeated each time', () => {
  const memo = new Memo();
  const use = (used: Set<string>) =>
    memo.of('x', object, [], used, (ask) => ask((all) => all.add('helper').size));
  const [first, second] = [new Set<string>(), new Set<string>()];
  use(first);
  use(second);
  assert.equal([...second], ['helper']);
});
