import * as assert from 'uvu/assert';
import * as scalars from './codec-scalars.js';
import type { Fault } from './problems.js';
import { suite } from './testing/suite.js';

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
  test(`${text} is counted in characters, not in UTF-16 units`, () => {
    const decode: Decode = (v, p, f) => scalars.text(v, p, f, { minLength: 2, maxLength: 3 });
    assert.equal(faultsOf(decode, text), faults);
  });
}

test('a pattern is not matched against a text that is too long', () => {
  const tried: string[] = [];
  const pattern = /^b+$/;
  pattern.test = (text) => tried.push(text) > 0;
  const decode: Decode = (v, p, f) => scalars.text(v, p, f, { maxLength: 3, pattern });
  assert.equal(faultsOf(decode, 'bbbb'), ['must have at most 3 characters']);
  assert.equal(tried, []);
  faultsOf(decode, 'bbb');
  assert.equal(tried, ['bbb']);
});

test('a format is checked, and the fault names it', () => {
  const decode: Decode = (v, p, f) => scalars.text(v, p, f, { format: 'email' });
  assert.equal(faultsOf(decode, 'ada@example.com'), []);
  assert.equal(faultsOf(decode, 'ada'), ['must be an e-mail address']);
});
