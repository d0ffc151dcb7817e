import { CommandAudited, EventAudited } from '../../contracts/events/audited.js';
import type { AuditContext } from '../../contracts/emitter.js';
import type { Command, Envelope } from '../../contracts/message.js';
import type { Json, Long, Uuid } from '../../contracts/scalars.js';
import type { Origin } from '../system-envelope.js';
import { type AuditPolicy, messageTypeOf } from './audit-policy.js';

/** The one place where an EventAudited is made. */
export function buildEventAudited(
  envelope: Envelope,
  streamId: Uuid,
  position: Long,
  policy: AuditPolicy,
): EventAudited {
  const mark = policy.markOf(messageTypeOf(envelope));
  const { scope } = envelope;
  return new EventAudited({
    originalEventId: envelope.messageId,
    originalEventType: envelope.messageType,
    originalStreamId: streamId,
    originalStreamPosition: position,
    originalBody: policy.bodyOf(envelope.messageType, envelope.payload) as Json,
    timestamp: envelope.timestamp,
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    correlationId: envelope.correlationId,
    causationId: envelope.causationId,
    auditReason: mark?.reason,
    auditLevel: mark?.level,
    scope,
  });
}

/** The one place where a CommandAudited is made. */
export function buildCommandAudited(
  command: Command,
  responseType: string | undefined,
  receptorName: string,
  context: Origin,
  policy: AuditPolicy,
): CommandAudited {
  const type = command.constructor.name;
  const mark = policy.markOf(command.constructor as never);
  const { scope } = context;
  return new CommandAudited({
    commandType: type,
    commandBody: policy.bodyOf(type, command) as Json,
    timestamp: new Date().toISOString(),
    tenantId: scope?.['tenantId'] ?? undefined,
    userId: scope?.['userId'] ?? undefined,
    userName: scope?.['userName'] ?? undefined,
    correlationId: context.correlationId,
    causationId: context.causationId,
    auditReason: mark?.reason,
    auditLevel: mark?.level,
    receptorName,
    responseType,
    scope,
  });
}

/** What metadata says, or the command's own name. */
export function receptorNameOf(command: Command, metadata: AuditContext['metadata']): string {
  const told =
    metadata instanceof Map
      ? metadata.get('receptorName')
      : (metadata as Record<string, unknown> | undefined)?.['receptorName'];
  if (typeof told === 'string' && told !== '') return told;
  return `${command.constructor.name.replace(/Command$/, '')}Receptor`;
}
