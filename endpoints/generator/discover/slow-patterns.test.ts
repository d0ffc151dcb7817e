import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { slownessOf } from './slow-patterns.js';

const test = suite('linear patterns');

for (const pattern of [
  '^[a-z]+$',
  '^[a-z]+(?:-[a-z]+)*$',
  '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
  '^"(?:[^"\\\\]|\\\\.)*"$',
  '^[A-Z]{2}\\d{6,10}$',
  '^(?:ab|cd)+$',
  '^\\p{L}+(?: \\p{L}+)*$',
  '^(?<year>\\d{4})-(?<month>\\d{2})$',
  '^https?://[^/]+(?:/[^/]*)*$',
  '^[A-Z]{3}-\\d{4}$',
  '^(\\d{3}-){2}\\d{4}$',
  '^(?:[A-Z]{2}\\d?){2}$',
  '^(?:[A-Z]{1,2}\\d{1,2}[A-Z]?){2}$',
  '^(?:[a-z]+,){3}[a-z]+$',
  '^(?:a|ab)*c$',
  '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '^[A-Z]{1,10}[A-Z0-9]{1,10}$',
  '^[0-9A-F]{1,4}(?::[0-9A-F]{1,4}){7}$',
  '^(?:red|green|blue){1,5}$',
  '^\\+?\\d{1,3}(?: \\d{2,4}){1,4}$',
  '^[αβ]+(?:-[αβ]+)*$',
])
  test(`${pattern} is accepted`, () => {
    assert.is(slownessOf(pattern), undefined);
  });

for (const pattern of [
  '^(a+)+$',
  '^(?:[a-z]+)*$',
  '^(a|a)*$',
  '^(?:\\w+\\s?)*$',
  '^([a-zA-Z0-9]+[-_]?)+$',
  '^(?:(?:a*)b?)*$',
  '^(?:.*,)+$',
  '^(?:[a-z]{1,20}){20}(?:[a-z]+){2,30}$',
  '^(.+)\\1+$',
  '\\d+x',
  '^.*foo.*$',
  '^[^@ ]+@[^@ ]+\\.[^@ ]+$',
  '^[a-z]+(?:-[a-z]+)*[a-z]+$',
  '^a*(?:a*)?$',
  '^(\\w+\\s?){1,5}$',
  '^(\\d+-?){6}$',
  '^([A-Za-z]+ ?){3}$',
  '^(.*,){8}x$',
  '^(a*){12}b$',
  '^(?:a|aa){40}$',
  '^(a?){30}a{30}$',
  '^(a?){30}b$',
  '^(?:a?b?){20,}c$',
  `^${'a?'.repeat(30)}a{30}$`,
  `^${'a{1,16}'.repeat(6)}b$`,
  '^(?:(?:a|aa){5}){5}$',
  '^(?:-[a-z]+|:[a-z-]+)*$',
  '^(?:[cde]+z|b[c-y]*)*$',
  '^(?:-[a-z]+[a-z0-9]*)*$',
  `^${'(?:ab)*'.repeat(5)}$`,
  '^(?:[αβ]+γ?)+$',
  '^(?:[\\u03b1]+[\\u03b2]?)+$',
  `^(?:${Array.from({ length: 300 }, (_, n) => `a${n}b*`).join('|')})+$`,
])
  test(`${pattern.slice(0, 60)} is refused`, () => {
    assert.type(slownessOf(pattern), 'string');
  });

test('a pattern with quadratic time is accepted for texts of up to 1,000 characters', () => {
  assert.is(slownessOf('^.*foo.*$', 1_000), undefined);
  assert.match(slownessOf('^.*foo.*$', 1_001) ?? '', /n\^2 steps .* @maxLength 1000 or less/);
  assert.match(
    slownessOf('.*foo.*', 1_000) ?? '',
    /n\^3 steps .* @maxLength 100 or less, or begin it with \^/,
  );
});

test('the reason names the repeated part', () => {
  assert.match(slownessOf('^x(?:[a-z]+)*$') ?? '', /repeats '\(\?:\[a-z\]\+\)'/);
});

test('the check of a pattern is bounded', () => {
  const nested = `^${'('.repeat(250)}a${'){1,9}'.repeat(250)}$`;
  assert.type(slownessOf(nested), 'string');
  assert.type(slownessOf(`^(?:${'a*b?'.repeat(450)}){2,9}$`), 'string');
  assert.match(slownessOf(`^${'a'.repeat(2_001)}$`) ?? '', /longer than 2000 characters/);
});
