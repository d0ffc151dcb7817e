import { Packr } from 'msgpackr';
import type { Envelope } from '../contracts/message.js';

// Plain msgpack that every other language reads: no records, no shared structures.
const packr = new Packr({ useRecords: false, variableMapSize: true, encodeUndefinedAsNil: false });

/** The body of a message on its way: one envelope in msgpack. */
export const encodeEnvelope = (envelope: Envelope): Uint8Array => packr.pack(withoutUndefined(envelope));

/** Whatever the bytes say; throws when they say nothing. */
export const decodeBytes = (bytes: Uint8Array): unknown => packr.unpack(bytes);

const withoutUndefined = (envelope: Envelope): Envelope =>
  Object.fromEntries(
    Object.entries(envelope).filter(([, value]) => value !== undefined),
  ) as unknown as Envelope;
