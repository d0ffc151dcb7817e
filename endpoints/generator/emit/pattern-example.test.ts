import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { textMatching } from './pattern-example.js';

const test = suite('pattern-example');

for (const [pattern, text] of [
  ['^[0-9]{5}$', '00000'],
  ['^[A-Z]{2}-\\d+$', 'AA-0'],
  ['^(?:red|green)$', 'red'],
  ['^(?<year>\\d{4})-(\\d{2})?$', '0000-'],
  ['^[^a-z]+$', '0'],
  ['^\\p{Lu}\\w*$', 'A'],
  ['^a{2,4}b*?c+$', 'aac'],
  ['^[\\w.]+@[a-z]+\\.com$', 'a@a.com'],
  ['^$', ''],
  ['tea|coffee', 'tea'],
  ['^🫖{2}$', '🫖🫖'],
] as const) {
  test(`${pattern} is matched by ${JSON.stringify(text)}`, () => {
    assert.is(textMatching(pattern), text);
    assert.match(text, new RegExp(pattern, 'u'));
  });
}

for (const pattern of ['[', '^(?!0)\\d$', '^(a)\\1$']) {
  test(`${pattern} has no example`, () => {
    assert.is(textMatching(pattern), undefined);
  });
}
