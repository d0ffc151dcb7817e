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
])
  test(`${pattern} is accepted`, () => {
    assert.is(slownessOf(pattern), undefined);
  });

for (const pattern of [
  '^(a+)+$',
  '^(?:[a-z]+)*$',
  '^(a|a)*$',
  '^(?:a|ab)*c$',
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
])
  test(`${pattern} is refused`, () => {
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
