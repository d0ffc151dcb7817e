import { AuditEvent } from '../audit.js';
import { group, type Init } from '../composite-fields.js';
import { bool, generatedId, int, optional, text, timestamp, uuid, type RequiredField } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';
import type { ErrorSummary } from './error.js';

const unaudited = AuditEvent({ exclude: true, reason: 'What becomes of an effect is its own record.' });

const summary = { name: text, message: text, code: optional(text) };
const error: RequiredField<ErrorSummary, Init<typeof summary>> = group(summary);

/** An effect was given up, and nothing else says how it ended: it is parked until an operator decides. */
@unaudited
export class EffectFailed extends record(SystemEvent, {
  id: generatedId,
  effectName: text,
  requestId: uuid,
  lane: text,
  attempt: int,
  error,
  parked: bool,
  timestamp,
}) {}

/** Another system answered a call that was cancelled or replaced meanwhile: what it did is stored nowhere else. */
@unaudited
export class EffectDropped extends record(SystemEvent, {
  id: generatedId,
  effectName: text,
  requestId: uuid,
  lane: text,
  attempt: int,
  timestamp,
}) {}
