import { AuditEvent } from '../audit.js';
import { generatedId, long, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** A segment of the log is full: from now on the chain covers every row of it, domain events included. */
@AuditEvent({ exclude: true, reason: 'The end of a segment is its own record.' })
export class SegmentSealed extends record(SystemEvent, {
  id: generatedId,
  /** Its first position. */
  low: long,
  /** The first position after it. */
  high: long,
  /** How many domain events it holds. */
  events: long,
  /** How many records of the system stream it holds. */
  records: long,
  /** The hash of the last record in it, or before it when it holds none. */
  lastHash: text,
  eventsSha256: text,
  recordsSha256: text,
  timestamp,
}) {}
