import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from './money.js';

const total = (...lines: readonly (readonly [quantity: number, unitPrice: string])[]): string =>
  totalOf(lines.map(([quantity, unitPrice]) => ({ quantity, unitPrice })));

test('a total is exact where binary fractions are not', () => {
  assert.equal(total([1, '0.1'], [1, '0.2']), '0.3');
  assert.equal(total([3, '1.10']), '3.30');
  assert.equal(total([7, '0.07']), '0.49');
});

test('a total has as many decimal places as its most exact price', () => {
  assert.equal(total([1, '2'], [1, '0.005']), '2.005');
  assert.equal(total([2, '10']), '20');
  assert.equal(total([1, '1.50']), '1.50');
});

test('a total may be larger than any safe integer', () => {
  assert.equal(total([2_147_483_647, '99999999999999999999.99']), '214748364699999999999978525163.53');
});

test('a discount is a line with a negative price', () => {
  assert.equal(total([1, '5.00'], [1, '-0.50']), '4.50');
  assert.equal(total([1, '-0.05']), '-0.05');
  assert.equal(total([2, '-1.005'], [1, '2.01']), '0.000');
});

test('no lines cost zero', () => {
  assert.equal(total(), '0');
  assert.equal(total([5, '0.00']), '0.00');
});
