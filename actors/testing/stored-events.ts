import type { StoredEvent } from '../../contracts/event-store.js';
import type { Event } from '../../contracts/message.js';
import { newUuid } from '../../contracts/uuid.js';

/** An event as a process or a reaction meets it: plain data with positions. */
export const storedEvent = (event: Event, position = 1, time = new Date(0).toISOString()): StoredEvent => {
  const streamId = newUuid();
  return {
    messageId: newUuid(),
    messageType: event.constructor.name,
    payload: JSON.parse(JSON.stringify(event)) as unknown,
    streamId,
    timestamp: time,
    occurredAt: time,
    recordedAt: time,
    streamPosition: position,
    globalPosition: position,
    v: 1,
  };
};
