import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { costProblemIn, costProblemOf } from './parse-cost.js';

const test = suite('cost');

test('linear growth is accepted, quadratic growth is not', () => {
  assert.is(costProblemIn({ quarter: 20, most: 95, json: 10 }), undefined);
  assert.match(costProblemIn({ quarter: 10, most: 160, json: 10 }) ?? '', 'took 160.0 ms instead of 10.0 ms');
});

test('twenty times the cost of JSON.parse is too much, even if it grows slowly', () => {
  assert.match(costProblemIn({ quarter: 100, most: 400, json: 5 }) ?? '', /over \d+ times JSON.parse/);
});

test('up to fifty milliseconds are always accepted', () => {
  assert.is(costProblemIn({ quarter: 0, most: 50, json: 0 }), undefined);
});

test('a parser that restarts at each character is found', async () => {
  const cubic = /^\s*wait\s*=\s*"?([^"]*?)"?\s*$/i;
  const text = (length: number) => `wait=${' '.repeat(length)}"""`;
  const inputs = { quarter: text(150), most: text(600) };
  const complaint = await costProblemOf((input) => cubic.test(input), inputs, JSON.stringify(inputs.most));
  assert.match(complaint ?? 'nothing is wrong with it', /took .* ms/);
});

test('a parser that reads its text once is accepted', async () => {
  const inputs = { quarter: 'a'.repeat(4_000), most: 'a'.repeat(16_000) };
  assert.is(await costProblemOf((input) => input.split('a'), inputs, JSON.stringify(inputs.most)), undefined);
});

test.run();
