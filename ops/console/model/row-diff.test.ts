import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { changedPaths, diffLines } from './row-diff.js';

const test = suite('difference of rows');

const shown = (before: unknown, after: unknown): string[] =>
  diffLines(before, after).map(
    ({ depth, text, change }) =>
      `${{ same: ' ', added: '+', removed: '-' }[change]}${'  '.repeat(depth)}${text}`,
  );

test('a changed value is there twice, the others once', () => {
  const before = { state: 'open', total: 3, to: { city: 'York' } };
  const after = { state: 'shipped', total: 3, to: { city: 'York', street: 'High' } };
  assert.equal(shown(before, after), [
    ' {',
    '-  state: "open"',
    '+  state: "shipped"',
    '   total: 3',
    '   to: {',
    '     city: "York"',
    '+    street: "High"',
    '   }',
    ' }',
  ]);
  assert.is(changedPaths(diffLines(before, after)), 2);
});

test('the first row is added as a whole, a deleted one is removed as a whole', () => {
  assert.equal(shown(null, { items: [1] }), ['+{', '+  items: [', '+    1', '+  ]', '+}']);
  assert.equal(shown({ a: 1 }, null), ['-{', '-  a: 1', '-}']);
  assert.equal(shown(null, null), []);
});

test('items of a list are compared by their index, and a value of another kind is replaced', () => {
  assert.equal(shown([1, 2], [1, 3, 4]), [' [', '   1', '-  2', '+  3', '+  4', ' ]']);
  assert.equal(shown({ a: [] }, { a: {} }), [' {', '-  a: []', '+  a: {}', ' }']);
});

test('equal rows have no change, and names of Object.prototype are names like others', () => {
  const row = JSON.parse('{"__proto__":1,"constructor":{"a":null}}') as object;
  assert.is(changedPaths(diffLines(row, structuredClone(row))), 0);
  assert.is(changedPaths(diffLines({}, JSON.parse('{"toString":1}'))), 1);
});

test('a huge row is cut, and the rest is counted', () => {
  const lines = diffLines(
    [],
    Array.from({ length: 5_000 }, (_, index) => index),
  );
  assert.is(lines.length, 2_001);
  assert.is(lines.at(-1)?.text, '… 3002 more lines');
});
