import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { errorTextOf, fingerprintOf, fingerprintOfText } from './error-fingerprint.js';

const test = suite('error fingerprint');

test('a fingerprint is short and does not depend on the message it is about', () => {
  const first = fingerprintOf(new RangeError('Message 018f0000-0000-7000-8000-0000000000aa has 712 bytes'));
  const second = fingerprintOf(
    new RangeError('Message 018f0000-0000-7000-8000-0000000000bb has 9001  bytes'),
  );
  assert.match(first, /^[0-9a-f]{12}$/);
  assert.is(second, first);
});

test('quoted values do not change the fingerprint', () => {
  const fingerprintFor = (subject: string) => fingerprintOf(new TypeError(`no stream matches '${subject}'`));
  assert.is(fingerprintFor('svc.events.Baked'), fingerprintFor('svc.events.Sold'));
});

test('another kind of error or another message has another fingerprint', () => {
  const prints = [
    new RangeError('too large'),
    new TypeError('too large'),
    new RangeError('too small'),
    new Problem('body-too-large'),
    new Problem('headers-too-large'),
    'too large',
  ].map(fingerprintOf);
  assert.is(new Set(prints).size, prints.length);
});

test('the text of an error has its name, no U+0000, and a limited length', () => {
  assert.is(errorTextOf(new RangeError('too\0 large')), 'RangeError: too large');
  assert.is(errorTextOf(new Problem('held-back', { detail: 'not today' })), 'held-back: not today');
  assert.is(errorTextOf(undefined), 'Error: undefined');
  assert.is(errorTextOf(new Error('x'.repeat(10_000))).length, 2_000);
});

test('an error that is stored has the fingerprint that it had when it was thrown', () => {
  for (const error of [
    new RangeError('no place for 7'),
    new Problem('held-back', { detail: 'not\ntoday: 7' }),
  ])
    assert.is(fingerprintOfText(errorTextOf(error)), fingerprintOf(error));
  assert.is(fingerprintOfText('no such item 7'), fingerprintOfText('no such item 8'));
  assert.is(fingerprintOfText('order 7: closed'), fingerprintOfText('order 8: closed'));
  assert.is.not(fingerprintOfText('held-back: closed'), fingerprintOfText('too-late: closed'));
});
