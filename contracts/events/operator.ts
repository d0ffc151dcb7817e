import { AuditEvent } from '../audit.js';
import { generatedId, optional, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record.js';

/** An operator changed something by hand, on the command line or in the console. */
@AuditEvent({ exclude: true, reason: 'An action of an operator is a record by itself.' })
export class OperatorActed extends record(SystemEvent, {
  id: generatedId,
  /** In the words of the command line: `dead-letters discard`. */
  action: text,
  target: text,
  actor: text,
  reason: optional(text),
  timestamp,
}) {}
