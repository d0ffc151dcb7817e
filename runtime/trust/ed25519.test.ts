import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { keyFromSeed, newSeed, readSigningKey, verifySignature } from './ed25519.js';

const test = suite('Ed25519');

const bytes = fc.uint8Array({ maxLength: 200 });

test('the first test vector of RFC 8032 is met', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const key = keyFromSeed(seed);
  assert.is(
    key.publicKey.toString('hex'),
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
  assert.match(key.sign(Buffer.alloc(0)).toString('hex'), /^e5564300c360ac729086e2cc806e828a84877f1e/);
});

test('a signature holds for its key and its bytes alone', () => {
  const [key, other] = [keyFromSeed(newSeed()), keyFromSeed(newSeed())];
  fc.assert(
    fc.property(bytes, bytes, (signed, others) => {
      const signature = key.sign(signed);
      assert.ok(verifySignature(key.publicKey, signed, signature));
      assert.not.ok(verifySignature(other.publicKey, signed, signature));
      assert.is(verifySignature(key.publicKey, others, signature), Buffer.compare(signed, others) === 0);
    }),
  );
});

test('garbage is no signature, and never throws', () => {
  const key = keyFromSeed(newSeed());
  const ofLength = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(
    fc.property(fc.oneof(bytes, ofLength(32)), bytes, fc.oneof(bytes, ofLength(64)), (from, what, by) => {
      assert.not.ok(verifySignature(from, what, by));
      assert.not.ok(verifySignature(key.publicKey, what, by));
    }),
  );
});

test('a key is read from the base64 of its seed and from PEM', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const [fromPem, fromSeed] = [readSigningKey(pem), readSigningKey(`${seed.toString('base64')}\n`)];
  assert.is(fromPem?.publicKey.length, 32);
  assert.equal(fromPem?.publicKey, fromSeed?.publicKey);
});

test('nothing else is a key', () => {
  const { privateKey } = generateKeyPairSync('x25519');
  const rsa =
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n-----END PRIVATE KEY-----';
  const x25519 = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const texts = [
    '',
    'a',
    'A'.repeat(43),
    newSeed().toString('hex'),
    newSeed().toString('base64url'),
    rsa,
    x25519,
  ];
  for (const text of [...texts, 'A'.repeat(100_000)]) assert.is(readSigningKey(text), undefined, text);
});
