import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isStorable, storableStart, storableText } from './storable-text.js';

const test = suite('storable text');

test('U+0000 and lone surrogates cannot be stored', () => {
  for (const value of ['\0', 'a\ud800', '\udfffz', { '\0': 1 }])
    assert.not(isStorable(JSON.stringify(value)));
});

test('text that only looks like an escape can', () => {
  for (const value of ['\\u0000', '\u{1f600}', '\u0001', 'plain'])
    assert.ok(isStorable(JSON.stringify(value)));
});

test('only what cannot be stored is replaced', () => {
  assert.is(JSON.parse(storableText(JSON.stringify('a\0\\u0000\ud800b'))), 'a\ufffd\\u0000\ufffdb');
});

test('a text can be stored wherever it is cut', () => {
  assert.is(storableStart('a\0b\u{1f600}c', 4), 'ab\u{1f600}');
  assert.is(storableStart('a\0b\u{1f600}c', 3), 'ab\ufffd');
  assert.is(storableStart('\ud800 \\ud800', 20), '\ufffd \\ud800');
});
