import type { Auditing } from '../audit/auditing.js';
import { buildEventAudited, receivedReason } from '../audit/build-audit-events.js';
import { newSalt, storedDigest } from '../audit/stored-digest.js';
import { storableText } from '../lang/storable-text.js';
import type { ReceivedEvent } from './inbox.js';
import type { ReceivedEnvelope } from './read-envelope.js';

/** Adds the audit of an event that another store sent, if it is audited. */
export type AuditReceived = (event: ReceivedEvent, envelope: ReceivedEnvelope) => ReceivedEvent;

/** The audit names the store in its scope: the sender is not one of our callers. */
export function auditReceivedEvents(auditing: Pick<Auditing, 'coversAppends' | 'policy'>): AuditReceived {
  const { policy } = auditing;
  return (event, envelope) => {
    if (!auditing.coversAppends || !policy.isEventAudited(envelope)) return event;
    const { streamId, streamPosition, correlationId, causationId, traceparent } = envelope;
    const scope = { ...envelope.scope, origin: envelope.store };
    const cause = { correlationId: correlationId ?? undefined, causationId: causationId ?? undefined };
    const received = { ...envelope, ...cause, scope };
    const audited = buildEventAudited(received, streamId, streamPosition, policy, { reason: receivedReason });
    const isHidden = audited.originalBody !== (envelope.payload ?? null);
    const metadata = isHidden ? salted(event.metadata) : event.metadata;
    const digest = isHidden ? storedDigest(metadata, event.data) : undefined;
    const audit = {
      id: audited.id,
      type: audited.constructor.name,
      data: storableText(JSON.stringify(Object.assign({}, audited, { timestamp: undefined }))),
      metadata: storableText(
        JSON.stringify({
          ...cause,
          scope,
          traceparent: traceparent ?? undefined,
          v: 1,
          event: { ...eventIn(envelope), digest },
        }),
      ),
      publish: policy.mayPublish(audited),
      of: 0,
    };
    return { ...event, metadata, audit };
  };
}

/** Metadata always has a version. */
const salted = (metadata: string): string => `${metadata.slice(0, -1)},"salt":"${newSalt()}"}`;

/** What the audit does not share with its event. */
const eventIn = ({ host, tracestate, count, depth, v, occurredAt }: ReceivedEnvelope) => ({
  host,
  tracestate: tracestate ?? undefined,
  count: count ?? undefined,
  depth: depth ?? undefined,
  v,
  occurredAt,
});
