import { hash } from 'node:crypto';

/** The 32 bytes of a digest. Goes through text: the buffer that Node creates costs as much as the digest itself. */
export const sha256 = (content: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', content, 'binary'), 'binary');
