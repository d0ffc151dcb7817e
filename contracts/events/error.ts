import { AuditEvent } from '../audit.js';
import { group, type Init } from '../composite-fields.js';
import { bool, generatedId, int, optional, text, timestamp, uuid, type RequiredField } from '../fields.js';
import { SystemEvent } from '../message.js';
import { record } from '../record-class.js';

/** The facts that an error event records about an error; pass an `Error` or a `Problem` as it is. */
export interface ErrorSummary {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
}

const unaudited = AuditEvent({ exclude: true, reason: 'A failure is its own record.' });

const summary = { name: text, message: text, code: optional(text) };
const error: RequiredField<ErrorSummary, Init<typeof summary>> = group(summary);

/** Dispatching a command failed, even if its error hook recovered. */
@unaudited
export class CommandFailed extends record(SystemEvent, {
  id: generatedId,
  commandType: text,
  receptorName: optional(text),
  error,
  recovered: bool,
  correlationId: optional(text),
  causationId: optional(text),
  tenantId: optional(text),
  userId: optional(text),
  timestamp,
}) {}

/** A hook, a deferred function or a tag hook threw something other than a response to the caller. */
@unaudited
export class HookFailed extends record(SystemEvent, {
  id: generatedId,
  hook: text,
  endpoint: optional(text),
  error,
  correlationId: optional(text),
  timestamp,
}) {}

/** A perspective could not apply an event. */
@unaudited
export class PerspectiveFailed extends record(SystemEvent, {
  id: generatedId,
  perspectiveName: text,
  streamId: optional(uuid),
  eventId: optional(uuid),
  error,
  attempt: int,
  timestamp,
}) {}

/** A reaction or process could not handle an event; its key is retried, or parked until it is released. */
@unaudited
export class ReactionFailed extends record(SystemEvent, {
  id: generatedId,
  reactionName: text,
  key: text,
  eventId: uuid,
  eventType: text,
  error,
  attempt: int,
  parked: bool,
  timestamp,
}) {}

/** A message was rejected too often and is now a dead letter. */
@unaudited
export class MessageDeadLettered extends record(SystemEvent, {
  id: generatedId,
  messageId: text,
  messageType: text,
  destination: text,
  attempts: int,
  lastError: text,
  fingerprint: text,
  timestamp,
}) {}
