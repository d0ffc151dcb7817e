import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as scalars from './codec-scalars.js';
import type { Fault } from './problems.js';

const test = suite('codec-scalars');

type Decode = (value: unknown, path: string, faults: Fault[]) => unknown;

const faultsOf = (decode: Decode, value: unknown): string[] => {
  const faults: Fault[] = [];
  decode(value, '', faults);
  return faults.map(({ message }) => message);
};

test('a number is finite', () => {
  assert.equal(faultsOf(scalars.number, 1.5), []);
  for (const value of [Number.POSITIVE_INFINITY, Number.NaN, '1', null])
    assert.equal(faultsOf(scalars.number, value), ['must be a number']);
});

test('a duration is ISO 8601', () => {
  assert.equal(faultsOf(scalars.duration, 'PT0.153S'), []);
  assert.equal(faultsOf(scalars.duration, '153 ms'), ['must be an ISO 8601 duration']);
});

test('a fault names the values to choose from', () => {
  const size: Decode = (v, p, f) => scalars.oneOf(v, p, f, ['S', 'M']);
  assert.equal(faultsOf(size, 'M'), []);
  assert.equal(faultsOf(size, 'L'), ['must be one of S, M']);
  assert.equal(faultsOf(size, undefined), ['is required']);
  assert.equal(
    faultsOf((v, p, f) => scalars.oneOf(v, p, f, ['card']), 7),
    ['must be card'],
  );
});

for (const [text, faults] of [
  ['🫖', ['must have at least 2 characters']],
  ['🫖🫖', []],
  ['🫖🫖🫖', []],
  ['🫖🫖🫖🫖', ['must have at most 3 characters']],
  ['ab', []],
  ['abcd', ['must have at most 3 characters']],
] as const) {
  test(`${text} has its characters counted, not its UTF-16 units`, () => {
    const decode: Decode = (v, p, f) => scalars.text(v, p, f, { minLength: 2, maxLength: 3 });
    assert.equal(faultsOf(decode, text), faults);
  });
}

test('limits hold for decimals in both forms', () => {
  const price: Decode = (v, p, f) => scalars.decimal(v, p, f, { minimum: 1 });
  assert.equal(faultsOf(price, 0.5), ['must be at least 1']);
  assert.equal(faultsOf(price, '0.5'), ['must be at least 1']);
  assert.equal(faultsOf(price, '1.00'), []);
});

test('a decimal that came as a number has the digits it was written with, where that is known', () => {
  const numbers = new Map([
    ['/price', '12345678901234567890.10'],
    ['/tip', '1e3'],
  ]);
  const faults = new scalars.BodyFaults((path) => numbers.get(path));
  assert.is(scalars.decimal(Number('12345678901234567890.1'), '/price', faults), '12345678901234567890.10');
  assert.is(scalars.decimal(4.5, '/weight', faults), '4.5');
  assert.equal([...faults], []);
  scalars.decimal(1000, '/tip', faults);
  assert.equal(
    [...faults].map(({ path }) => path),
    ['/tip'],
  );
});

test.run();
