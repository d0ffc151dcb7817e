import { AuditEvent } from '../audit.js';
import { generatedId, long, optional, text, timestamp, uuid } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** An operator replaced the key with which this store signs. */
@AuditEvent({ exclude: true, reason: 'An operator action is its own record.' })
export class StoreKeyRotated extends record(SystemEvent, {
  id: generatedId,
  storeId: uuid,
  /** The raw 32 bytes, hexadecimal. */
  previousKey: text,
  publicKey: text,
  /** The last position of the log that the previous key signs. */
  upTo: long,
  /** The signatures of the previous key and of the new one, hexadecimal. */
  proof: text,
  actor: text,
  reason: optional(text),
  timestamp,
}) {}
