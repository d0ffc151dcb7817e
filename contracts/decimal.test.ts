import * as assert from 'uvu/assert';
import { decimal, type DecimalLimits } from './decimal.js';
import { Faults } from './faults.js';
import type { Fault } from './problems.js';
import { writtenIn } from './number-source-text.js';
import { suite } from './testing/suite.js';

const test = suite('decimal');

/** The decimal as kept after it was sent in a body, or the fault. */
const sent = (json: string, limits?: DecimalLimits): string => {
  const body = `{"price":${json}}`;
  const faults = new Faults(writtenIn(body));
  const { price } = JSON.parse(body) as { price: unknown };
  const kept = decimal(price, '/price', faults, limits);
  return faults[0]?.message ?? kept;
};

for (const number of [
  '4.10',
  '4',
  '0.00',
  '-0',
  '100',
  '12345678901234567890.10',
  '0.0000001',
  '9'.repeat(60),
]) {
  test(`${number} is kept as it is written, as a number and as text`, () => {
    assert.is(sent(number), number);
    assert.is(sent(`"${number}"`), number);
  });
}

for (const number of ['1e3', '1E-7', '-2.5e+10', '1e999']) {
  test(`${number} is rejected for its exponent, as a number and as text`, () => {
    const message = 'must be a decimal number without an exponent, such as 12.50; found an exponent';
    assert.is(sent(number), message);
    assert.is(sent(`"${number}"`), message);
  });
}

test('digits before and after the point count toward the limit, which is 60', () => {
  assert.is(sent(`-${'1'.repeat(30)}.${'2'.repeat(30)}`), `-${'1'.repeat(30)}.${'2'.repeat(30)}`);
  assert.is(sent(`-${'1'.repeat(30)}.${'2'.repeat(31)}`), 'must have at most 60 digits, not 61');
  assert.is(sent(`"${'1'.repeat(1001)}"`), 'must have at most 60 digits, not 1001');
  assert.is(sent('1'.repeat(400)), 'must have at most 60 digits, not 400');
});

test('a field may limit its digits', () => {
  assert.is(sent('1'.repeat(200), { maxDigits: 200 }), '1'.repeat(200));
  assert.is(sent('1'.repeat(201), { maxDigits: 200 }), 'must have at most 200 digits, not 201');
  assert.is(sent('12', { maxDigits: 1 }), 'must have at most 1 digit, not 2');
});

for (const [json, found] of [
  ['true', 'not a boolean'],
  ['null', 'not null'],
  ['[1]', 'not an array'],
  ['{}', 'not an object'],
  ['"secret"', 'found text of 6 characters'],
  ['"01"', 'found text of 2 characters'],
  ['""', 'found text of 0 characters'],
] as const) {
  test(`the fault names the kind of value found instead of a decimal: ${json}`, () => {
    assert.ok(sent(json).endsWith(found), sent(json));
    assert.not.match(sent(json), 'secret');
  });
}

test('limits apply to both forms', () => {
  for (const json of ['0.5', '"0.5"']) assert.is(sent(json, { minimum: 1 }), 'must be at least 1');
  for (const json of ['10.01', '"10.01"']) assert.is(sent(json, { maximum: 10 }), 'must be at most 10');
  for (const json of ['1.00', '"1.00"']) assert.is(sent(json, { minimum: 1 }), '1.00');
});

test('a number without its original text must not have lost a digit', () => {
  const faultsOf = (value: number): string[] => {
    const faults: Fault[] = [];
    decimal(value, '', faults);
    return faults.map(({ message }) => message);
  };
  assert.equal(faultsOf(-123456789.012345), []);
  assert.equal(faultsOf(0.1 + 0.2), ['must have at most 15 digits as a number, not 18; send it as text']);
  assert.match(faultsOf(1e21)[0] ?? '', 'found an exponent');
});

test('a missing decimal is required', () => {
  const faults: Fault[] = [];
  decimal(undefined, '/price', faults);
  assert.equal(faults, [{ path: '/price', message: 'is required' }]);
});
