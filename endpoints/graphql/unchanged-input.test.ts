import { buildSchema, coerceInputValue, type GraphQLInputType } from 'graphql';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { unchangedBy } from './unchanged-input.js';

const test = suite('unchanged inputs');

const schema = buildSchema(`
input Order { id: String!, items: [Item!]!, note: String, speed: Speed = slow, part: Order, matrix: [[Int]] }
input Item { name: String!, count: Int, price: Float, isGift: Boolean }
enum Speed { slow fast }
`);
const type = schema.getType('Order') as GraphQLInputType;
const fits = unchangedBy(type);

const order = { id: '1', items: [], speed: 'fast' };

const fitTo: readonly unknown[] = [
  order,
  { ...order, items: [{ name: 'x', count: 1, price: 1.5, isGift: true }] },
  { ...order, note: null, matrix: [[1, null], null] },
  { ...order, part: { ...order, part: order } },
  null,
];
const fitNot: readonly unknown[] = [
  undefined,
  'text',
  [order],
  {},
  { ...order, id: undefined },
  { ...order, id: null },
  { ...order, id: 1 },
  { ...order, unknown: 1 },
  { ...order, items: { name: 'x' } },
  { ...order, items: [null] },
  { ...order, items: [{ name: 'x', count: 1.5 }] },
  { ...order, items: [{ name: 'x', count: 2 ** 31 }] },
  { ...order, items: [{ name: 'x', isGift: 'yes' }] },
  { ...order, speed: 'faster' },
  { ...order, part: { ...order, unknown: 1 } },
];

for (const value of fitTo) {
  test(`${JSON.stringify(value)} is left unchanged by GraphQL too`, () => {
    assert.is(fits(value), true);
    assert.equal(coerceInputValue(value, type), value);
  });
}

for (const value of fitNot) {
  test(`${JSON.stringify(value)} does not fit`, () => {
    assert.is(fits(value), false);
  });
}

test('a value that would get a default is not unchanged', () => {
  const { speed: _, ...without } = order;
  assert.is(fits(without), false);
  assert.equal(coerceInputValue(without, type), { ...without, speed: 'slow' });
});
