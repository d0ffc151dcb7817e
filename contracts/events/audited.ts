import { AuditEvent, AuditLevel } from '../audit.js';
import { mapOf } from '../composite-fields.js';
import {
  generatedId,
  json,
  long,
  oneOf,
  optional,
  text,
  textOrNull,
  timestamp,
  uuid,
  withDefault,
  type RequiredField,
} from '../fields.js';
import { SystemEvent, type EnvelopeScope } from '../message.js';
import { record } from '../record-class.js';

const auditLevel = oneOf<AuditLevel>(AuditLevel);
const scope: RequiredField<EnvelopeScope> = mapOf(textOrNull);

/** A domain event was appended. */
@AuditEvent({ exclude: true, reason: 'The audit of an event is not audited itself.' })
export class EventAudited extends record(SystemEvent, {
  id: generatedId,
  originalEventId: optional(uuid),
  originalEventType: text,
  originalStreamId: text,
  originalStreamPosition: long,
  originalBody: json,
  timestamp,
  tenantId: optional(text),
  userId: optional(text),
  correlationId: optional(text),
  causationId: optional(text),
  auditReason: optional(text),
  auditLevel: withDefault(auditLevel, 'Info'),
  scope: optional(scope),
}) {}

/** A command was handled. */
@AuditEvent({ exclude: true, reason: 'The audit of a command is not audited itself.' })
export class CommandAudited extends record(SystemEvent, {
  id: generatedId,
  commandType: text,
  commandBody: json,
  timestamp,
  tenantId: optional(text),
  userId: optional(text),
  userName: optional(text),
  correlationId: optional(text),
  causationId: optional(text),
  auditReason: optional(text),
  auditLevel: withDefault(auditLevel, 'Info'),
  receptorName: optional(text),
  responseType: optional(text),
  scope: optional(scope),
}) {}
