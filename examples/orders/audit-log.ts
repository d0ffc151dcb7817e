import {
  type AuditLevel,
  type Long,
  Permission,
  type Perspective,
  type StoredEvent,
  type Timestamp,
  type Uuid,
} from 'svc-runtime';
import { CommandAudited, EventAudited } from 'svc-runtime/system-events';

/** An audit without the audited body. */
export interface AuditLogEntry {
  id: Uuid;
  eventType: 'EventAudited' | 'CommandAudited';
  /** The position in the system stream. */
  position: Long;
  timestamp: Timestamp;
  commandType?: string;
  receptorName?: string;
  responseType?: string;
  originalEventId?: Uuid;
  originalEventType?: string;
  originalStreamId?: string;
  originalStreamPosition?: Long;
  tenantId?: string;
  userId?: string;
  userName?: string;
  correlationId?: string;
  causationId?: string;
  auditReason?: string;
  auditLevel: AuditLevel;
}

/** One row per audited command and event, newest first. */
export class AuditLogPerspective implements Perspective<AuditLogEntry> {
  readonly name = 'audit-log';
  readonly route = '/audit-log';
  readonly permission = Permission.read('audit');
  readonly newestFirst = true;
  readonly events = [EventAudited, CommandAudited];
  readonly late = 'apply';
  readonly columns = {
    eventType: 'text',
    correlationId: 'text',
    userId: 'text',
    timestamp: 'timestamptz',
  } as const;

  key({ messageId }: StoredEvent): string {
    return messageId;
  }

  apply(_: unknown, { messageType, payload, streamPosition }: StoredEvent): AuditLogEntry {
    const { originalBody: _body, commandBody: _command, scope: _scope, ...audit } = payload as Audited;
    return { ...audit, eventType: messageType as AuditLogEntry['eventType'], position: streamPosition };
  }
}

type Audited = AuditLogEntry & Readonly<Record<'originalBody' | 'commandBody' | 'scope', unknown>>;
