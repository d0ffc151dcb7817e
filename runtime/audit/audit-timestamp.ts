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

/** The same for a message to send. A time inside the stored text stays: the digest of the record covers it. */
export function sentPayload(payload: unknown, stored: string): unknown {
  const timestamp = storedTime(stored);
  return timestamp === undefined ? payload : { ...(payload as object), timestamp };
}

/** The stored text of a record, with the time of an audit inserted. */
export function readText(messageType: string, stored: string, recordedAt: Timestamp): string {
  if (!isAudit(messageType) || !/^\{./.test(stored)) return stored;
  if (storedTime(stored) !== undefined)
    return JSON.stringify({ ...(JSON.parse(stored) as object), timestamp: recordedAt });
  const rest = stored.slice(0, -1);
  return `${rest}${rest === '{' ? '' : ','}"timestamp":${JSON.stringify(recordedAt)}}`;
}

/** The time inside a record that an earlier version stored. */
function storedTime(stored: string): unknown {
  if (!stored.includes('"timestamp":')) return undefined;
  return (JSON.parse(stored) as { readonly timestamp?: unknown } | null)?.timestamp;
}
