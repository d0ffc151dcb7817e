import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { memberOf, objectOf } from './json-fragment.js';

const test = suite('document parts');

const values = { 'a "b"': { c: ['x\n', 1, {}] }, 'ü\u2028': null, e: {} };
const parts = objectOf(
  Object.entries(values).map(([name, value]) => [memberOf(name, value, 2)]),
  0,
);

test('an object made of parts equals its JSON as a whole', () => {
  assert.is(parts.map(({ text }) => text).join(''), JSON.stringify(values, null, 2));
  assert.is(objectOf([], 4)[0]?.text, JSON.stringify({}, null, 2));
});

test('the quoted parts equal the quoted whole', () => {
  const whole = JSON.stringify(JSON.stringify(values, null, 2));
  assert.is(`"${parts.map(({ quoted }) => quoted).join('')}"`, whole);
});
