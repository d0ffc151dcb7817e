import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { KeptText } from './kept-text.js';

const test = suite('kept text');

test('a text is kept under its key', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  const text = new KeptText('theme', () => storage);
  assert.is(text.read(), null);
  text.keep('dark');
  assert.equal([text.read(), kept.get('theme')], ['dark', 'dark']);
});

test('a browser that blocks its storage, or has filled it, stops nothing', () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const blocked = new KeptText('theme', refuse);
  blocked.keep('dark');
  assert.is(blocked.read(), null);
  const full = new KeptText('theme', () => ({ getItem: () => 'light', setItem: refuse }));
  full.keep('dark');
  assert.is(full.read(), 'light');
});
