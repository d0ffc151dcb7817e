import type { StagedRecord } from '../../contracts/unit.js';

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

/** The identifying fields of an audit: never the bodies, which have no bound, and never the scope. */
export function auditPayloadOf({
  envelope,
  of,
}: StagedRecord): Readonly<Record<string, unknown>> | undefined {
  const { messageType, payload } = envelope;
  if (messageType === 'CommandAudited') return pick(payload as Record<string, unknown>, commandFields);
  if (messageType !== 'EventAudited') return undefined;
  const fields = pick(payload as Record<string, unknown>, eventFields);
  return of?.position === undefined ? fields : { ...fields, originalStreamPosition: of.position };
}

const pick = (from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
