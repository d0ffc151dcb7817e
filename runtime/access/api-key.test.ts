import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { apiKeyIdIn, digestOf, newApiKey } from './api-key.js';

const test = suite('format of API keys');

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('every new key is read back as its id, whatever the random bytes', () => {
  fc.assert(
    fc.property(bytes(4), bytes(32), (id, secret) => {
      const made = newApiKey((length) => Buffer.from(length === 4 ? id : secret));
      assert.is(apiKeyIdIn(made.key), made.id);
      assert.is(made.id, Buffer.from(id).toString('hex'));
      assert.equal(Buffer.from(made.key.slice(13), 'base64url'), Buffer.from(secret));
    }),
  );
});

test('a key has 256 random bits, and no two are the same', () => {
  const made = Array.from({ length: 1_000 }, () => newApiKey().key);
  assert.is(new Set(made.map((key) => key.slice(13))).size, 1_000);
  for (const key of made) assert.is(Buffer.from(key.slice(13), 'base64url').length, 32);
});

test('a key with any one character added, left out or replaced by one outside the format is no key', () => {
  const { key } = newApiKey();
  const place = fc.nat(key.length - 1);
  fc.assert(
    fc.property(place, fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
      assert.is(apiKeyIdIn(key.slice(0, at) + key.slice(at + 1)), undefined);
      assert.is(apiKeyIdIn(key.slice(0, at) + other + key.slice(at)), undefined);
      if (/[\w-]/.test(other)) return;
      assert.is(apiKeyIdIn(key.slice(0, at) + other + key.slice(at + 1)), undefined);
    }),
  );
  for (const text of ['', ' ', `${key}\n`, ` ${key}`, key.toUpperCase(), key.repeat(2)])
    assert.is(apiKeyIdIn(text), undefined);
});

test('any other text is no key', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => apiKeyIdIn(text) === undefined));
  fc.assert(fc.property(fc.string(), (text) => apiKeyIdIn(`svc_1a2b3c4d_${text}`) === undefined));
});

test('two texts that mean the same bytes are two keys', () => {
  const [key, other] = ['A', 'B'].map((last) => `svc_1a2b3c4d_${'A'.repeat(42)}${last}`) as [string, string];
  assert.equal(Buffer.from(key.slice(13), 'base64url'), Buffer.from(other.slice(13), 'base64url'));
  assert.not.equal(digestOf(key), digestOf(other));
});
