import { AuditEvent } from '../audit.js';
import { generatedId, long, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** Events that happened elsewhere were imported; it covers up to 10,000 of them, which have no audits of their own. */
@AuditEvent({ exclude: true, reason: 'An import is its own record.' })
export class EventsImported extends record(SystemEvent, {
  id: generatedId,
  /** How many imported events there are between the two positions. */
  count: long,
  /** The position of the first in the log. */
  from: long,
  /** The position of the last. */
  to: long,
  /** Of their rows; `svc audit verify --events` computes it again. */
  sha256: text,
  actor: text,
  timestamp,
}) {}
