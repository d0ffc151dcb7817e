import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Decimals } from './decimals.js';
import { suite } from './testing/suite.js';

const test = suite('decimals');

const total = (...lines: readonly (readonly [quantity: number, unitPrice: string])[]): string =>
  Decimals.sum(lines.map(([quantity, unitPrice]) => Decimals.multiply(unitPrice, quantity)));

test('a sum of products is exact where binary fractions are not', () => {
  assert.is(total([1, '0.1'], [1, '0.2']), '0.3');
  assert.is(total([3, '1.10']), '3.30');
  assert.is(total([7, '0.07']), '0.49');
  assert.is(Decimals.add('9.99', '0.011'), '10.001');
});

test('a sum has as many decimal places as its most exact part, a product those of both factors', () => {
  assert.is(total([1, '2'], [1, '0.005']), '2.005');
  assert.is(total([1, '1.50']), '1.50');
  assert.is(Decimals.multiply('1.5', '0.20'), '0.300');
  assert.is(Decimals.sum([]), '0');
  assert.is(total([5, '0.00']), '0.00');
});

test('a number may be larger than any safe integer, and below zero', () => {
  assert.is(total([2_147_483_647, '99999999999999999999.99']), '214748364699999999999978525163.53');
  assert.is(total([1, '5.00'], [1, '-0.50']), '4.50');
  assert.is(total([1, '-0.05']), '-0.05');
  assert.is(total([2, '-1.005'], [1, '2.01']), '0.000');
  assert.is(Decimals.multiply('12.50', -1), '-12.50');
});

test('numbers are compared by value, not by their digits', () => {
  assert.is(Decimals.compare('1.5', '1.50'), 0);
  assert.is(Decimals.compare('10', '9.99'), 1);
  assert.is(Decimals.compare('-10', '-9.99'), -1);
  assert.equal(
    ['10', '9', '-1', '9.5'].toSorted((a, b) => Decimals.compare(a, b)),
    ['-1', '9', '9.5', '10'],
  );
});

test('what is no decimal number is refused', () => {
  for (const wrong of ['', 'abc', '1e3', '1.', ' 1', '1,5']) {
    assert.throws(() => Decimals.add('1', wrong), /takes decimal numbers as text/);
    assert.throws(() => Decimals.compare(wrong, '1'), /takes decimal numbers as text/);
  }
  for (const wrong of [0.1, 2 ** 53, Infinity, Number.NaN])
    assert.throws(() => Decimals.multiply('1', wrong), /whole numbers as factors/);
});

/** Cents, as an oracle. */
const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const written = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

test('whatever the amounts, sums and comparisons are those of whole cents', () => {
  const property = fc.property(fc.array(cents, { minLength: 1, maxLength: 20 }), cents, (amounts, other) => {
    const sum = amounts.reduce((all, one) => all + one, 0n);
    assert.is(Decimals.sum(amounts.map(written)), written(sum));
    assert.is(Decimals.compare(written(sum), written(other)), sum === other ? 0 : sum < other ? -1 : 1);
    assert.is(Decimals.multiply(written(sum), '100'), written(sum * 100n));
  });
  fc.assert(property, { numRuns: 200 });
});
