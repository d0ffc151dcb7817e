import type { Envelope } from '../../contracts/message.js';

/** What is stored beside the payload. */
export const metadataOf = (envelope: Envelope, more?: MoreMetadata): string => {
  const { correlationId, causationId, scope, traceparent, tracestate, count, depth, v } = envelope;
  if (more === undefined)
    return JSON.stringify({ correlationId, causationId, scope, traceparent, tracestate, count, depth, v });
  const { event, sealed, salt } = more;
  const origin = { correlationId, causationId, scope, traceparent, tracestate, count, depth, v };
  return JSON.stringify({ ...origin, event, sealed, salt });
};

interface MoreMetadata {
  /** Of a record: what its event has and it does not. */
  readonly event?: object | undefined;
  /** Of an event: its encrypted fields. */
  readonly sealed?: readonly string[] | undefined;
  readonly salt?: string | undefined;
}

/** The metadata of a received envelope as JSON, in the order in which a store writes it. */
export function receivedMetadataOf(envelope: Omit<Envelope, 'payload'>): string {
  const { correlationId, causationId, scope, traceparent, tracestate, count, depth, v } = envelope;
  return JSON.stringify({
    correlationId: correlationId ?? undefined,
    causationId: causationId ?? undefined,
    scope: scope ?? undefined,
    traceparent: traceparent ?? undefined,
    tracestate: tracestate ?? undefined,
    count: count ?? undefined,
    depth: depth ?? undefined,
    v,
  });
}
