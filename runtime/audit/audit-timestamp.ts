import type { Long, Timestamp } from '../../contracts/scalars.js';

/** Audits take their `timestamp` from the time at which the database recorded them; it is stored nowhere else. */
export const isAudit = (messageType: string | null | undefined): boolean =>
  messageType === 'EventAudited' || messageType === 'CommandAudited';

/** The payload of a stored message, with the values that the store keeps beside it. */
export function readPayload(
  messageType: string,
  payload: unknown,
  originalPosition: Long | undefined,
  recordedAt: Timestamp,
): unknown {
  const isTimed = isAudit(messageType);
  if ((!isTimed && originalPosition === undefined) || typeof payload !== 'object' || payload === null)
    return payload;
  if (originalPosition === undefined) return { ...payload, timestamp: recordedAt };
  return isTimed
    ? { ...payload, originalStreamPosition: originalPosition, timestamp: recordedAt }
    : { ...payload, originalStreamPosition: originalPosition };
}

/** The stored text of a record, with the time of an audit inserted. */
export function readText(messageType: string, stored: string, recordedAt: Timestamp): string {
  if (!isAudit(messageType) || !/^\{./.test(stored)) return stored;
  const rest = stored.slice(0, -1);
  return `${rest}${rest === '{' ? '' : ','}"timestamp":${JSON.stringify(recordedAt)}}`;
}
