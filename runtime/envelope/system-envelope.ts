import { type Envelope, versionOf } from '../../contracts/message.js';
import { isUuid } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { newUuid } from '../../contracts/uuid.js';
import { nowText } from '../lang/now-text.js';

/** What the envelope of a system message inherits from its cause. */
export interface Origin {
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly scope?: Envelope['scope'];
}

/** The envelope of a system message; it has the message's own id if there is one. */
export function systemEnvelope(message: SystemMessage, origin: Origin = {}): Envelope {
  const { id } = message as { id?: unknown };
  return {
    messageId: isUuid(id) ? id : newUuid(),
    messageType: message.constructor.name,
    payload: message,
    streamId: SystemEventStreams.streamId,
    timestamp: nowText(),
    correlationId: origin.correlationId,
    causationId: origin.causationId,
    scope: origin.scope,
    traceparent: origin.traceparent,
    v: versionOf(message.constructor),
  };
}
