import { isStorable } from '../../runtime/lang/storable-text.js';

/** As the store limits it. */
const maxBytes = 1_024;

/** Why a value cannot be the key of an event; undefined: it can. */
export const keyFault = (key: unknown): string | undefined =>
  typeof key === 'string' &&
  key !== '' &&
  Buffer.byteLength(key) <= maxBytes &&
  isStorable(JSON.stringify(key))
    ? undefined
    : `key() must return a text of 1 to ${maxBytes} bytes, without U+0000 and lone surrogates`;
