import { type AuditMark, auditMarkOf, AuditMode } from '../../contracts/audit.js';
import type { Envelope, MessageClass, MessageType } from '../../contracts/message.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import { isSystemMessage, systemMessages } from '../../contracts/system-messages.js';
import { SystemEventTransportFilter } from '../transport/filter.js';

/** Tells a message with its sensitive fields hidden. */
export type Redact = (message: unknown) => unknown;

/** What is audited, and how much of it is told. */
export class AuditPolicy {
  readonly #types = new Map<string, MessageClass>();
  readonly #redactions = new Map<string, Redact>();

  constructor(private readonly options: SystemEventOptions) {}

  /** Makes the marks of message classes known by name, for messages that come as plain data. */
  know(types: Iterable<MessageClass>): void {
    for (const type of types) this.#types.set(type.name, type);
  }

  redact(type: MessageClass, redact: Redact): void {
    this.#redactions.set(type.name, redact);
  }

  /** The mark alone decides; system messages are never audited. */
  isExcluded(type: MessageType): boolean {
    return isSystemMessage(type) || this.markOf(type)?.exclude === true;
  }

  /** Whether a domain event is audited, by mode and mark. */
  isEventAudited(envelope: Envelope): boolean {
    if (!this.options.eventAuditEnabled) return false;
    const type = messageTypeOf(envelope);
    if (this.isExcluded(type)) return false;
    return this.options.auditMode === AuditMode.OptOut || this.markOf(type) !== undefined;
  }

  markOf(type: MessageType): AuditMark | undefined {
    const known = typeof type === 'string' ? (this.#types.get(type) ?? systemMessages.get(type)) : type;
    return known === undefined ? undefined : auditMarkOf(known);
  }

  /** Decided by the host that writes, when it writes. */
  mayPublish(message: object): boolean {
    return new SystemEventTransportFilter(this.options).shouldPublishToTransport(message);
  }

  bodyOf(type: string, message: unknown): unknown {
    return this.#redactions.get(type)?.(message) ?? message;
  }
}

/** The class of the payload where it has one, else its wire name. */
export function messageTypeOf({ payload, messageType }: Envelope): MessageType {
  const type =
    typeof payload === 'object' && payload !== null ? (payload.constructor as MessageClass) : Object;
  return type === Object || type === Array ? messageType : type;
}
