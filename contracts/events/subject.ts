import { AuditEvent } from '../audit.js';
import { generatedId, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** An operator destroyed the key of a subject: its values in events and messages can no longer be read. */
@AuditEvent({ exclude: true, reason: 'An operator action is its own record.' })
export class SubjectForgotten extends record(SystemEvent, {
  id: generatedId,
  /** A digest of the id, as in `svc_subject_keys`: the id itself may be personal. */
  subject: text,
  actor: text,
  reason: text,
  timestamp,
}) {}
