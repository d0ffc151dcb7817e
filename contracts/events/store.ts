import { AuditEvent } from '../audit.js';
import { generatedId, long, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record.js';

/** The database no longer holds what a host had seen in it: a fail-over or a restored backup lost the end of the log. */
@AuditEvent({ exclude: true, reason: 'A loss is a record by itself.' })
export class StoreWentBack extends record(SystemEvent, {
  id: generatedId,
  /** The host that noticed. */
  witness: text,
  /** The newest position that it had seen; up to here events may be lost. */
  lostTo: long,
  /** Where the log ended when it was noticed. */
  head: long,
  timestamp,
}) {}
