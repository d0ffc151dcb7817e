import type { Auditing } from '../audit/auditing.js';
import { buildEventAudited, receivedReason } from '../audit/build-audit-events.js';
import type { EncodedRecord } from '../store/encode-unit.js';
import { storableText } from '../store/storable-text.js';
import type { ReceivedEnvelope } from './read-envelope.js';

/** Creates the audit of an event that another store sent; undefined when it is not audited. */
export type AuditReceived = (envelope: ReceivedEnvelope) => EncodedRecord | undefined;

/** The audit names the store in its scope: the sender is not one of our callers. */
export function auditReceivedEvents(auditing: Pick<Auditing, 'coversAppends' | 'policy'>): AuditReceived {
  const { policy } = auditing;
  return (envelope) => {
    if (!auditing.coversAppends || !policy.isEventAudited(envelope)) return undefined;
    const { streamId, streamPosition, correlationId, causationId, traceparent } = envelope;
    const scope = { ...envelope.scope, origin: envelope.store };
    const cause = { correlationId: correlationId ?? undefined, causationId: causationId ?? undefined };
    const received = { ...envelope, ...cause, scope };
    const audited = buildEventAudited(received, streamId, streamPosition, policy, { reason: receivedReason });
    return {
      id: audited.id,
      type: audited.constructor.name,
      data: storableText(JSON.stringify(Object.assign({}, audited, { timestamp: undefined }))),
      metadata: storableText(
        JSON.stringify({
          ...cause,
          scope,
          traceparent: traceparent ?? undefined,
          v: 1,
          event: eventIn(envelope),
        }),
      ),
      publish: policy.mayPublish(audited),
      of: 0,
    };
  };
}

/** What the audit does not share with its event. */
const eventIn = ({ host, tracestate, count, depth, v, occurredAt }: ReceivedEnvelope) => ({
  host,
  tracestate: tracestate ?? undefined,
  count: count ?? undefined,
  depth: depth ?? undefined,
  v,
  occurredAt,
});
