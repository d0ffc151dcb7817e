import { Packr } from 'msgpackr';
import type { Envelope } from '../../contracts/message.js';
import { validateMsgpack } from './validate-msgpack.js';

// Plain msgpack that every language can read: no records, no shared structures.
const packr = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: true });

/** The body of a published message: one envelope in msgpack. */
export const encodeEnvelope = (envelope: Envelope): Uint8Array => packr.pack(withoutUndefined(envelope));

/** Decodes what JSON could express; throws a Problem for anything else and for anything too large. */
export function decodeBytes(bytes: Uint8Array): unknown {
  validateMsgpack(bytes);
  return packr.unpack(bytes);
}

const withoutUndefined = (envelope: Envelope): Envelope =>
  Object.fromEntries(
    Object.entries(envelope).filter(([, value]) => value !== undefined),
  ) as unknown as Envelope;
