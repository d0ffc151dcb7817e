import { type AuditMark, auditMarkOf, AuditMode } from '../../contracts/audit.js';
import {
  type Envelope,
  type MessageClass,
  type MessageType,
  messageTypeOf,
} from '../../contracts/message.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import { isSystemMessage, systemMessages } from '../../contracts/system-messages.js';
import { Secrets } from '../logging/secrets.js';
import { SystemEventTransportFilter } from '../transport/system-event-filter.js';

/** Returns a message with its sensitive fields hidden. */
type Redact = (message: unknown) => unknown;

/** What the class of a message and its mark decide. */
interface AuditRule {
  readonly isExcluded: boolean;
  readonly mark: AuditMark | undefined;
}

/** Which messages are audited, and which of their fields are hidden. */
export class AuditPolicy {
  readonly #types = new Map<string, MessageClass>();
  readonly #redactions = new Map<string, Redact>();
  readonly #rules = new Map<MessageClass, AuditRule>();
  readonly #filter: SystemEventTransportFilter;

  constructor(private readonly options: SystemEventOptions) {
    this.#filter = new SystemEventTransportFilter(options);
  }

  /** Registers message classes by name, for messages that arrive as plain data. */
  register(types: Iterable<MessageClass>): void {
    for (const type of types) this.#types.set(type.name, type);
  }

  redact(type: MessageClass, redact: Redact): void {
    this.#redactions.set(type.name, redact);
  }

  /** Whether some fields of the type are hidden in audits. */
  isSensitive(type: string): boolean {
    return this.#redactions.has(type);
  }

  /** The values of a message that its audit hides; undefined when its type has none. */
  secretsIn(type: string, message: unknown): Secrets | undefined {
    const redact = this.#redactions.get(type);
    return redact && new Secrets().add(message, redact(message));
  }

  /** Decided by the mark alone; system messages are never audited. */
  isExcluded(type: MessageType): boolean {
    return this.#ruleOf(type).isExcluded;
  }

  /** Whether a domain event is audited, by mode and mark. */
  isEventAudited(envelope: Envelope): boolean {
    if (!this.options.eventAuditEnabled) return false;
    const type = messageTypeOf(envelope);
    if (this.isExcluded(type)) return false;
    return this.options.auditMode === AuditMode.OptOut || this.markOf(type) !== undefined;
  }

  markOf(type: MessageType): AuditMark | undefined {
    return this.#ruleOf(type).mark;
  }

  /** Decided by the writing host at the time of writing. */
  mayPublish(message: object): boolean {
    return this.#filter.shouldPublishToTransport(message);
  }

  bodyOf(type: string, message: unknown): unknown {
    const redact = this.#redactions.get(type);
    return redact === undefined ? message : redact(message);
  }

  /** The rule of a class never changes, and each of its messages needs it several times. */
  #ruleOf(type: MessageType): AuditRule {
    const known = typeof type === 'string' ? (this.#types.get(type) ?? systemMessages.get(type)) : type;
    if (known === undefined) return { isExcluded: isSystemMessage(type), mark: undefined };
    const before = this.#rules.get(known);
    if (before !== undefined) return before;
    const mark = auditMarkOf(known);
    const rule = { isExcluded: isSystemMessage(known) || mark?.exclude === true, mark };
    this.#rules.set(known, rule);
    return rule;
  }
}
