import { AuditEvent } from '../audit.js';
import { generatedId, oneOf, optional, text, timestamp, uuid } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

const ways = Object.freeze({ pinned: 'pinned', operator: 'operator', rotated: 'rotated' } as const);
type Way = (typeof ways)[keyof typeof ways];

/** Messages of another store are trusted from now on, or its key is now known. */
@AuditEvent({ exclude: true, reason: 'Whom a store trusts is its own record.' })
export class StoreTrusted extends record(SystemEvent, {
  id: generatedId,
  storeId: uuid,
  /** The raw 32 bytes, hexadecimal; undefined while the store has signed nothing. */
  publicKey: optional(text),
  /** `pinned`: on first use. `rotated`: the key before has signed this one. */
  how: oneOf<Way>(ways),
  /** The operator, or the host that pinned it. */
  actor: text,
  reason: optional(text),
  timestamp,
}) {}
