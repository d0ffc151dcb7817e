import type { Timestamp } from '../../contracts/scalars.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import { isAudit, readPayload } from './audit-timestamp.js';

const eventFields = [
  'id',
  'originalEventId',
  'originalEventType',
  'originalStreamId',
  'originalStreamPosition',
  'timestamp',
  'tenantId',
  'userId',
  'correlationId',
  'causationId',
  'auditReason',
  'auditLevel',
] as const;
const commandFields = [
  'id',
  'commandType',
  'timestamp',
  'tenantId',
  'userId',
  'userName',
  'correlationId',
  'causationId',
  'auditReason',
  'auditLevel',
  'receptorName',
  'responseType',
] as const;

/** The identifying fields of an audit: never the bodies, which are unbounded, and never the scope. */
export function auditPayloadOf({
  envelope: { messageType, payload },
  of,
  recordedAt,
}: StagedRecord): Readonly<Record<string, unknown>> | undefined {
  if (!isAudit(messageType)) return undefined;
  const { timestamp } = payload as { readonly timestamp: Timestamp };
  const read = readPayload(messageType, payload, of?.position, recordedAt ?? timestamp);
  return pick(
    read as Record<string, unknown>,
    messageType === 'CommandAudited' ? commandFields : eventFields,
  );
}

const pick = (from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
