import { type Envelope, type Event, versionOf } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { nowText } from '../lang/now-text.js';
import { flatScope, type RequestContext } from '../request/request-context.js';

/** An event caused by the command of `context`. */
export function envelopeOf(event: Event, streamId: Uuid, context: RequestContext): Envelope {
  const envelope: Envelope = {
    messageId: newUuid(),
    messageType: event.constructor.name,
    payload: event,
    streamId,
    timestamp: nowText(),
    correlationId: context.correlationId,
    causationId: context.messageId,
    scope: flatScope(context.scope),
    traceparent: context.traceparent,
    v: versionOf(event.constructor),
  };
  const { tracestate, depth } = context;
  if (tracestate === undefined && depth === undefined) return envelope;
  return {
    ...envelope,
    ...(tracestate === undefined ? {} : { tracestate }),
    ...(depth === undefined ? {} : { depth }),
  };
}
