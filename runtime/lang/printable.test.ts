import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { printable, printableLine } from './printable.js';

const test = suite('printable text');

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\re\u202ef\u007f\u0000';

test('terminal control characters are shown, not executed', () => {
  assert.is(printable(hostile), String.raw`a\u001b[2Jb\u009b31mc\u0007d\u000de\u202ef\u007f\u0000`);
});

test('line breaks and tabs stay, except where one line is required', () => {
  assert.is(printable('a\tb\nc'), 'a\tb\nc');
  assert.is(printableLine('a\tb\nc'), String.raw`a\u0009b\u000ac`);
});

test('text of every language is unchanged', () => {
  const text = 'Größe 大小 حجم 👩‍🚀 ✓';
  assert.is(printable(text), text);
  assert.is(printableLine(text), text);
});

test('a line of JSON stays the same value', () => {
  assert.equal(JSON.parse(printable(JSON.stringify({ hostile }))), { hostile });
});
