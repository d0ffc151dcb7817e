import type { AuditContext } from '../../contracts/system-event-emitter.js';
import type { Envelope, MessageClass } from '../../contracts/message.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import type { StagedEvent, StagedRecord } from '../../contracts/unit-store.js';
import type { Auditable, Auditor, HandledCommand } from '../unit/audited-unit.js';
import { flatScope } from '../request/request-context.js';
import { AuditPolicy } from './audit-policy.js';
import {
  buildCommandAudited,
  buildEventAudited,
  metadataText,
  responseTypeOf,
  type CommandOrigin,
} from './build-audit-events.js';
import { systemRecord, uncheckedRecord } from './system-record.js';

/** The auditing of a service: decides about and creates every audit of an event or a command. */
export class Auditing implements Auditor {
  #coversAppends = false;

  constructor(
    private readonly options: SystemEventOptions,
    readonly policy: AuditPolicy = new AuditPolicy(options),
  ) {}

  /** Whether appended events are audited: only if an event store is decorated. */
  get coversAppends(): boolean {
    return this.#coversAppends;
  }

  coverAppends(): void {
    this.#coversAppends = true;
  }

  recordOf(subject: Auditable): StagedRecord | undefined {
    return 'command' in subject ? this.#ofCommand(subject) : this.#ofAppend(subject);
  }

  /** The audit of an event whose position is known. */
  recordOfStored(
    streamId: Uuid,
    position: Long,
    envelope: Envelope,
    timestamp?: Timestamp,
  ): StagedRecord | undefined {
    if (!this.policy.isEventAudited(envelope)) return undefined;
    const audited = buildEventAudited(envelope, streamId, position, this.policy, { timestamp });
    return systemRecord(audited, envelope, this.policy);
  }

  /** The commit stores the position beside it. */
  #ofAppend(event: StagedEvent): StagedRecord | undefined {
    const { envelope, streamId } = event;
    if (!this.#coversAppends || !this.policy.isEventAudited(envelope)) return undefined;
    return uncheckedRecord(
      buildEventAudited(envelope, streamId, 0, this.policy),
      envelope,
      this.policy,
      event,
    );
  }

  #ofCommand({ command, response, receptorName, context }: HandledCommand): StagedRecord | undefined {
    if (!this.options.commandAuditEnabled) return undefined;
    if (this.policy.isExcluded(command.constructor as MessageClass)) return undefined;
    const origin = originOf(context);
    const responseType = responseTypeOf(command, response, context.metadata);
    const audited = buildCommandAudited(command, responseType, receptorName, origin, this.policy);
    return systemRecord(audited, origin, this.policy);
  }
}

/** What an audit inherits from its command. */
function originOf(context: AuditContext): CommandOrigin {
  const { correlationId, causationId, traceparent, scope, identity, metadata } = context;
  return {
    correlationId,
    causationId,
    traceparent,
    scope: scope === undefined ? undefined : flatScope(scope),
    userName: identity?.displayName,
    by: metadataText(metadata, 'by'),
  };
}
