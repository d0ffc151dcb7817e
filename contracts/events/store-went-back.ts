import { AuditEvent } from '../audit.js';
import { generatedId, long, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** The database no longer holds what a host had read from it: a failover or a restored backup lost the end of the log. */
@AuditEvent({ exclude: true, reason: 'A loss is its own record.' })
export class StoreWentBack extends record(SystemEvent, {
  id: generatedId,
  /** The host that noticed. */
  witness: text,
  /** The newest position that the host had seen; events up to here may be lost. */
  lostTo: long,
  /** The last position of the log when the loss was noticed. */
  head: long,
  timestamp,
}) {}
