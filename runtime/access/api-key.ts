import { hash, randomBytes } from 'node:crypto';

/** `svc_`, eight hexadecimal digits that name the key, `_`, and 256 random bits in base64url. */
const format = /^svc_[0-9a-f]{8}_[\w-]{43}$/;
const idBytes = 4;
const secretBytes = 32;

export interface NewApiKey {
  /** Public: lists and events show it as `svc_1a2b3c4d`. */
  readonly id: string;
  /** Secret: only its digest is stored. */
  readonly key: string;
}

export function newApiKey(random: (bytes: number) => Buffer = randomBytes): NewApiKey {
  const id = random(idBytes).toString('hex');
  return { id, key: `${prefixOf(id)}_${random(secretBytes).toString('base64url')}` };
}

/** The id in a key; undefined for any other text. */
export const apiKeyIdIn = (text: string): string | undefined =>
  format.test(text) ? text.slice(4, 12) : undefined;

export const digestOf = (key: string): Buffer => Buffer.from(digestTextOf(key), 'latin1');

/** One character per byte: twice as fast as a new buffer. */
export const digestTextOf = (key: string): string => hash('sha256', key, 'binary');

/** How a key is shown. */
export const prefixOf = (id: string): string => `svc_${id}`;
