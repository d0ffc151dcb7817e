import type { StoredEvent } from '../../contracts/event-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import { metadataOf } from './stored-metadata.js';

/** A committed event as the store returns it; undefined where only the store knows. */
export function committedEvent(staged: StagedEvent, upcasters: Upcasters): StoredEvent | undefined {
  const { envelope, streamId, position = 0, globalPosition = 0, recordedAt, occurredAt, host = '' } = staged;
  const { messageId, messageType, payload } = envelope;
  // A sealed value is stored as null if its subject is forgotten.
  if (recordedAt === undefined || recordedAt === null || upcasters.sealing?.has(messageType) === true)
    return undefined;
  // The store keeps it in its own format.
  if (occurredAt !== undefined) return undefined;
  return upcasters.apply({
    messageId,
    messageType,
    payload: JSON.parse(JSON.stringify(payload)) as unknown,
    streamId,
    streamPosition: position,
    globalPosition,
    timestamp: recordedAt,
    occurredAt: recordedAt,
    recordedAt,
    host,
    v: 1,
    ...(JSON.parse(metadataOf(envelope)) as object),
  });
}

/** A staged event in the form of a stored one; what only the commit knows is missing until then. */
export function asIfStored(
  { envelope, streamId, globalPosition = 0, ...staged }: StagedEvent,
  streamPosition: Long = staged.position ?? 0,
): StoredEvent {
  const recordedAt = staged.recordedAt ?? envelope.timestamp;
  const occurredAt = staged.occurredAt ?? recordedAt;
  return { ...envelope, streamId, streamPosition, globalPosition, occurredAt, recordedAt };
}
