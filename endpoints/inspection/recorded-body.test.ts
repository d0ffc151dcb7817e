import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { recordedBody } from './inspection.js';

const test = suite('recorded body');

test('a body is kept as JSON', () => {
  assert.is(
    recordedBody(() => ({ who: 'Ada' })),
    '{"who":"Ada"}',
  );
});

test('a long body is cut and says so', () => {
  const text = recordedBody(() => ({ note: 'x'.repeat(9_000) })) ?? '';
  assert.match(text, /x … \(\d+ more characters\)$/);
  assert.ok(text.length < 4_100);
});

test('a body that has no form in JSON is left out', () => {
  assert.equal([recordedBody(() => ({ much: 1n })), recordedBody(() => undefined)], [undefined, undefined]);
});
