import { isUuid } from '../../contracts/scalars.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { errorTextOf, fingerprintOf } from '../dead-letters/error-fingerprint.js';
import type { ReceivedDeadLetter } from './inbox.js';
import type { ReceivedEnvelope } from './read-envelope.js';

const headerNames = [
  'Nats-Msg-Id',
  'content-type',
  'traceparent',
  'tracestate',
  'svc-store',
  'svc-host',
  'svc-correlation-id',
  'svc-body',
  'svc-epoch',
  'svc-position',
  'svc-forks',
  'svc-signature',
  'svc-key',
];

/** A message that cannot be accepted, with the reason; when its body is unreadable, headers and subject identify it. */
export function receivedDeadLetter(
  message: InboundMessage,
  problem: unknown,
  envelope: ReceivedEnvelope | undefined,
): ReceivedDeadLetter {
  const { subject, body } = message;
  const headers = Object.fromEntries(
    headerNames.flatMap((name) => {
      const value = message.header(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const id = envelope?.messageId ?? headers['Nats-Msg-Id'];
  return {
    messageId: isUuid(id) ? id : undefined,
    messageType: envelope?.messageType ?? subject.split('.').at(-1) ?? '',
    subject,
    headers,
    body,
    error: errorTextOf(problem),
    fingerprint: fingerprintOf(problem),
    tenant: envelope?.scope?.['tenantId'] ?? undefined,
  };
}
