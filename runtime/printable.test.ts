import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printable, printableLine } from './printable.js';

const test = suite('printable text');

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\re\u202ef\u007f\u0000';

test('what could command a terminal is shown, not done', () => {
  assert.is(printable(hostile), String.raw`a\u001b[2Jb\u009b31mc\u0007d\u000de\u202ef\u007f\u0000`);
});

test('lines and tabs stay, except where there must be one line', () => {
  assert.is(printable('a\tb\nc'), 'a\tb\nc');
  assert.is(printableLine('a\tb\nc'), String.raw`a\u0009b\u000ac`);
});

test('words of every language stay as they are', () => {
  const text = 'Größe 大小 حجم 👩‍🚀 ✓';
  assert.is(printable(text), text);
  assert.is(printableLine(text), text);
});

test('a line of JSON stays the same value', () => {
  assert.equal(JSON.parse(printable(JSON.stringify({ hostile }))), { hostile });
});

test.run();
