import type { Envelope } from '../../contracts/message.js';

/** The metadata of a received envelope as JSON, in the order in which a store writes it. */
export function metadataText(envelope: Omit<Envelope, 'payload'>): string {
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
