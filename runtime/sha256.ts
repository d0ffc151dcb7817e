import { hash } from 'node:crypto';

/** The 32 bytes of a digest. Taken as text first: a buffer that node makes for each costs as much as the digest. */
export const sha256 = (content: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', content, 'binary'), 'binary');
