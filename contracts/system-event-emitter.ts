import type { Identity } from './identity.js';
import type { Command, Envelope, EnvelopeScope, MessageType } from './message.js';
import type { Long, Uuid } from './scalars.js';
import type { PerspectiveScope } from './perspective-scope.js';
import type { SystemMessage } from './system-messages.js';

/** The context that an audit records about its message. */
export interface AuditContext {
  readonly messageId?: Uuid | undefined;
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly scope?: EnvelopeScope | PerspectiveScope | undefined;
  /** Who sent the command. */
  readonly identity?: Pick<Identity, 'displayName'> | undefined;
  readonly metadata?: ReadonlyMap<string, unknown> | Readonly<Record<string, unknown>> | undefined;
}

/** The metadata of a system message. */
export interface SystemMessageContext {
  readonly correlationId?: string | undefined;
  readonly scope?: EnvelopeScope | undefined;
  /** The number of occurrences that it represents, if there are several. */
  readonly count?: number | undefined;
}

/** Writes system messages to the system stream; does nothing where system events are not registered. */
export interface SystemEventEmitter {
  /** Emits EventAudited for a domain event at its position in its stream. */
  emitEventAudited(
    streamId: Uuid,
    streamPosition: Long,
    envelope: Envelope,
    signal?: AbortSignal,
  ): Promise<void>;
  emitCommandAudited(
    command: Command,
    response: unknown,
    receptorName: string,
    context?: AuditContext,
    signal?: AbortSignal,
  ): Promise<void>;
  /** A message with an id is stored only once, however often it is emitted. */
  emit(
    systemEvent: SystemMessage,
    signal?: AbortSignal,
    id?: Uuid,
    context?: SystemMessageContext,
  ): Promise<void>;
  shouldExcludeFromAudit(type: MessageType): boolean;
}
