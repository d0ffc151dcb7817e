import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { isStorable, storableText } from './storable-text.js';

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
