import { AuditEvent } from '../audit.js';
import { duration, generatedId, int, oneOf, text, timestamp } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

const unaudited = AuditEvent({ exclude: true, reason: 'What processes and timers do is its own record.' });

const policies = Object.freeze({ once: 'once', skip: 'skip', all: 'all' } as const);
type Policy = (typeof policies)[keyof typeof policies];

/** An event started an instance of a process. */
@unaudited
export class ProcessStarted extends record(SystemEvent, {
  id: generatedId,
  processName: text,
  key: text,
  version: int,
  timestamp,
}) {}

/** An instance of a process reached a final state. */
@unaudited
export class ProcessEnded extends record(SystemEvent, {
  id: generatedId,
  processName: text,
  key: text,
  version: int,
  /** The final state. */
  outcome: text,
  /** Since it was started. */
  duration,
  timestamp,
}) {}

/**
 * Timers were due while no host ran, and fired late, in the order of their due times. One event covers each catch-up of
 * a host. A timer that had expired was dropped instead, and is reported by itself.
 */
@unaudited
export class TimersMissed extends record(SystemEvent, {
  id: generatedId,
  count: int,
  oldestDue: timestamp,
  timestamp,
}) {}

/** Occurrences of a schedule were missed, and its policy decided what happens with them. */
@unaudited
export class ScheduleMissed extends record(SystemEvent, {
  id: generatedId,
  scheduleName: text,
  missed: int,
  policy: oneOf<Policy>(policies),
  timestamp,
}) {}
