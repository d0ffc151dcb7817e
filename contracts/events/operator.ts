import { AuditEvent } from '../audit.js';
import { mapOf, setOf } from '../composite-fields.js';
import { generatedId, optional, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** An operator changed something from the command line or the console. */
@AuditEvent({ exclude: true, reason: 'An operator action is its own record.' })
export class OperatorActed extends record(SystemEvent, {
  id: generatedId,
  /** As on the command line: `dead-letters discard`. */
  action: text,
  target: text,
  actor: text,
  reason: optional(text),
  /** The permissions of a key or a role from now on. */
  permissions: optional(setOf(text)),
  /** Other input of the action, by name; never a secret. */
  details: optional(mapOf(text)),
  timestamp,
}) {}
