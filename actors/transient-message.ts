import { SystemEventStreams } from '../contracts/system-stream.js';
import type { OutboundMessage } from '../contracts/transport.js';
import type { Uuid } from '../contracts/scalars.js';
import { newUuid } from '../contracts/uuid.js';
import { traceparentFrom } from '../runtime/tracing/traceparent.js';
import { destinationOf } from '../runtime/transport/subjects.js';

export interface MessageSource {
  readonly host: string;
  readonly store: Uuid;
}

/** A system message that is sent and not stored. */
export function transientMessage(
  messageType: string,
  payload: object,
  { host, store }: MessageSource,
  streamPosition = 1,
): OutboundMessage {
  const now = new Date().toISOString();
  const messageId = newUuid();
  const envelope = {
    messageId,
    messageType,
    payload,
    streamId: SystemEventStreams.streamId,
    streamPosition,
    globalPosition: 0,
    timestamp: now,
    occurredAt: now,
    recordedAt: now,
    traceparent: traceparentFrom(messageId),
    host,
    store,
    v: 1,
  };
  return { id: envelope.messageId, destination: destinationOf(envelope), envelope };
}
