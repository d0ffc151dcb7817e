import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { costProblemIn, costProblemOf } from './parse-cost.js';

const test = suite('cost');

test('linear growth is accepted, quadratic growth is not', () => {
  assert.is(costProblemIn({ quarters: 80, most: 95, jsons: 100 }), undefined);
  const complaint = costProblemIn({ quarters: 40, most: 160, jsons: 200 });
  assert.match(complaint ?? '', 'took 160.0 ms, and 40.0 ms in 4 pieces');
});

test('twenty times the cost of JSON.parse is too much, even if it grows slowly', () => {
  assert.match(costProblemIn({ quarters: 400, most: 400, jsons: 100 }) ?? '', 'JSON.parse 100.0 ms for');
});

test('up to fifty milliseconds are always accepted', () => {
  assert.is(costProblemIn({ quarters: 0, most: 50, jsons: 0 }), undefined);
});

const complaintOf = (read: (text: string) => unknown, text: (length: number) => string, most: number) =>
  costProblemOf(
    read,
    { most: text(most), quarter: () => text(most / 4), json: () => JSON.stringify(text(most)) },
    3,
  );

test('a parser that restarts at each character is found', async () => {
  const cubic = /^\s*wait\s*=\s*"?([^"]*?)"?\s*$/i;
  const text = (length: number) => `wait=${' '.repeat(length)}"""`;
  const complaint = await complaintOf((input) => cubic.test(input), text, 600);
  assert.match(complaint ?? 'nothing is wrong with it', /took .* ms/);
});

test('a parser that looks at all items before each item is found', async () => {
  const quadratic = (text: string) => {
    const items = text.split(',');
    return items.filter((item, at) => items.lastIndexOf(`${item}!`, at) >= 0);
  };
  const complaint = await complaintOf(quadratic, (length) => 'a,'.repeat(length / 2), 16_384);
  assert.match(complaint ?? 'nothing is wrong with it', /took .* ms/);
});

test('a parser that reads its text once is accepted', async () => {
  const complaint = await complaintOf(
    (input) => input.split('a'),
    (length) => 'a'.repeat(length),
    16_000,
  );
  assert.is(complaint, undefined);
});
