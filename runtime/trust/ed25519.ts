import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';

/** What precedes the raw bytes of an Ed25519 key in its DER form (RFC 8410). */
const privateHeader = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHeader = Buffer.from('302a300506032b6570032100', 'hex');

const keyBytes = 32;
const signatureBytes = 64;

/** A key with which something can be signed. */
export interface SigningKey {
  /** The raw 32 bytes. */
  readonly publicKey: Buffer;
  readonly sign: (bytes: Uint8Array) => Buffer;
}

export const newSeed = (): Buffer => randomBytes(keyBytes);

export const keyFromSeed = (seed: Uint8Array): SigningKey =>
  signingKeyOf(createPrivateKey({ key: Buffer.concat([privateHeader, seed]), format: 'der', type: 'pkcs8' }));

/** Longer than any Ed25519 key as PEM. */
const maxTextLength = 1_000;

/** Reads the base64 of a 32-byte seed, or a private key in PKCS#8 PEM; undefined for anything else. */
export function readSigningKey(text: string): SigningKey | undefined {
  if (text.length > maxTextLength) return undefined;
  const trimmed = text.trim();
  try {
    if (!trimmed.startsWith('-----BEGIN PRIVATE KEY-----')) {
      const seed = Buffer.from(trimmed, 'base64');
      return seed.length === keyBytes && seed.toString('base64') === trimmed ? keyFromSeed(seed) : undefined;
    }
    const key = createPrivateKey({ key: trimmed, format: 'pem' });
    return key.asymmetricKeyType === 'ed25519' ? signingKeyOf(key) : undefined;
  } catch {
    return undefined;
  }
}

function signingKeyOf(key: KeyObject): SigningKey {
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicHeader.length);
  return { publicKey, sign: (bytes) => sign(null, bytes, key) };
}

/** Never throws: whatever is no signature of these bytes by this key is false. */
export function verifySignature(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== keyBytes || signature.length !== signatureBytes) return false;
  try {
    const key = createPublicKey({
      key: Buffer.concat([publicHeader, publicKey]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}
