import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { lostNumberIn } from './lost-numbers.js';

const test = suite('numbers that a double cannot keep');

test('any value that JSON.stringify writes keeps its numbers', () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.double({ noDefaultInfinity: true, noNaN: true }), (value, number) => {
      assert.is(lostNumberIn(JSON.stringify({ value, number })), undefined);
    }),
  ));

for (const lost of [
  '12345678901234567890',
  '9007199254740993',
  '-0.12345678901234567890',
  '1e400',
  '1E-400',
  '[1.0000000000000001]',
])
  test(`${lost} is found, in text it is not`, () => {
    const digits = lost.replaceAll(/[[\]]/g, '');
    assert.is(lostNumberIn(`{"a":"\\"","b":${lost}}`), digits.slice(0, 30));
    assert.is(lostNumberIn(JSON.stringify({ '12345678901234567890': `\\"${lost}` })), undefined);
  });

for (const kept of ['1.50', '1e3', '0.30000000000000004', '9007199254740992', '1e+21'])
  test(`${kept} is kept`, () => assert.is(lostNumberIn(`{"a":${kept}}`), undefined));
