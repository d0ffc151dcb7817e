import type { StoredEvent } from '../../contracts/event-store.js';
import { Event } from '../../contracts/message.js';
import type { Timestamp } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { freezePlain } from '../lang/plain-state.js';

/** An event as a process or a reaction meets it: plain data with positions, which others of its host share. */
export function storedEvent(
  event: Event | StoredEvent,
  position = 1,
  time: Timestamp = '1970-01-01T00:00:00.000Z',
): StoredEvent {
  if (!(event instanceof Event)) return event;
  const payload = JSON.parse(JSON.stringify(event)) as unknown;
  freezePlain(payload);
  return {
    messageId: newUuid(),
    messageType: event.constructor.name,
    payload,
    streamId: newUuid(),
    timestamp: time,
    occurredAt: time,
    recordedAt: time,
    streamPosition: position,
    globalPosition: position,
    v: 1,
  };
}
