import { Packr } from 'msgpackr';
import type { Envelope } from '../contracts/message.js';
import { mustBePlain } from './validate-msgpack.js';

// Plain msgpack that every other language reads: no records, no shared structures.
const packr = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: true });

/** The body of a message on its way: one envelope in msgpack. */
export const encodeEnvelope = (envelope: Envelope): Uint8Array => packr.pack(withoutUndefined(envelope));

/** What the bytes say, as far as JSON could say it; throws a Problem when it is anything else, or too much. */
export function decodeBytes(bytes: Uint8Array): unknown {
  mustBePlain(bytes);
  return packr.unpack(bytes);
}

const withoutUndefined = (envelope: Envelope): Envelope =>
  Object.fromEntries(
    Object.entries(envelope).filter(([, value]) => value !== undefined),
  ) as unknown as Envelope;
