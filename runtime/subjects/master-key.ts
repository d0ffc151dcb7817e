import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import type { KeyWrapper } from '../../contracts/sealing.js';

const ivBytes = 12;
const tagBytes = 16;

/** The bytes of a master key: exactly 32, in base64. */
export function masterKeyFrom(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes : undefined;
}

/** Wraps the keys of subjects with a master key of this process. */
export const masterKeyWrapper = (master: Uint8Array): KeyWrapper => ({
  wrap: async (key, context) => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', master, iv);
    cipher.setAAD(Buffer.from(context));
    return Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  },
  unwrap: async (wrapped, context) => {
    try {
      const bytes = Buffer.from(wrapped);
      const decipher = createDecipheriv('aes-256-gcm', master, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
    } catch (cause) {
      throw new Problem('subject-keys-unavailable', {
        detail:
          'The master key is not the one that the keys of subjects in this store are wrapped with; set SVC_MASTER_KEY to that one, or SVC_MASTER_KEY_OLD while it is being replaced.',
        cause,
      });
    }
  },
});
