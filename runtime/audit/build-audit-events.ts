import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import type { AuditContext } from '../../contracts/system-event-emitter.js';
import { type Command, type Envelope, type MessageClass, messageTypeOf } from '../../contracts/message.js';
import type { Json, Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import { nowText } from '../lang/now-text.js';
import type { Origin } from '../envelope/system-envelope.js';
import type { AuditPolicy } from './audit-policy.js';

/** The reason in the audit of an event that another store sent. */
export const receivedReason = 'received';

interface AuditDetails {
  /** Replaced by the time of recording once it is stored. */
  readonly timestamp?: Timestamp | undefined;
  /** Instead of the one in the mark of its class. */
  readonly reason?: string;
}

/** The only place that creates an EventAudited. */
export function buildEventAudited(
  envelope: Envelope,
  streamId: Uuid,
  position: Long,
  policy: AuditPolicy,
  { timestamp = envelope.timestamp, reason }: AuditDetails = {},
): EventAudited {
  const mark = policy.markOf(messageTypeOf(envelope));
  const { scope } = envelope;
  return new EventAudited({
    originalEventId: envelope.messageId,
    originalEventType: envelope.messageType,
    originalStreamId: streamId,
    originalStreamPosition: position,
    originalBody: (policy.bodyOf(envelope.messageType, envelope.payload) ?? null) as Json,
    timestamp,
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    correlationId: envelope.correlationId,
    causationId: envelope.causationId,
    auditReason: reason ?? mark?.reason,
    auditLevel: mark?.level,
    scope,
  });
}

/** What the audit of a command inherits from its request. */
export interface CommandOrigin extends Origin {
  /** The display name of the caller; events and messages do not carry it. */
  readonly userName?: string | undefined;
  /** The reaction, process, timer or schedule that sent the command. */
  readonly by?: string | undefined;
}

/** The only place that creates a CommandAudited. */
export function buildCommandAudited(
  command: Command,
  responseType: string | undefined,
  receptorName: string,
  context: CommandOrigin,
  policy: AuditPolicy,
): CommandAudited {
  const type = command.constructor.name;
  const mark = policy.markOf(command.constructor as MessageClass);
  const { scope, by } = context;
  return new CommandAudited({
    commandType: type,
    commandBody: policy.bodyOf(type, command) as Json,
    timestamp: nowText(),
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    userName: scope?.['userName'] ?? context.userName,
    correlationId: context.correlationId,
    causationId: context.causationId,
    auditReason: mark?.reason,
    auditLevel: mark?.level,
    receptorName,
    responseType,
    scope: by === undefined ? scope : { ...scope, by },
  });
}

/** From the metadata, or else named after the command. */
export function receptorNameOf(command: Command, metadata: AuditContext['metadata']): string {
  const value = metadataText(metadata, 'receptorName');
  return value ?? `${command.constructor.name.replace(/Command$/, '')}Receptor`;
}

/** The declared name if the endpoint provides it, else the class of the response; undefined without a response. */
export function responseTypeOf(
  command: Command,
  response: unknown,
  metadata: AuditContext['metadata'],
): string | undefined {
  if (response === undefined) return undefined;
  const value = metadataText(metadata, 'responseType');
  if (value !== undefined || response === null) return value;
  if (typeof response !== 'object') return typeof response;
  const prototype = Object.getPrototypeOf(response) as object | null;
  const isAnonymous = prototype === null || prototype === Object.prototype || Array.isArray(response);
  return isAnonymous ? `${command.constructor.name}Result` : prototype.constructor.name;
}

export function metadataText(metadata: AuditContext['metadata'], name: string): string | undefined {
  const value: unknown =
    metadata instanceof Map ? metadata.get(name) : (metadata as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
