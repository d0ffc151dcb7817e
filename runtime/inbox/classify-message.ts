import { SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { isLong, type Uuid } from '../../contracts/scalars.js';
import { systemMessages } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { chainHeadType } from '../audit/chain.js';
import { type MessageProof, proofOf } from '../trust/signed-message.js';
import { isSigned, readSignedHead, type SignedHead } from '../trust/signed-head.js';
import { failpoint } from '../lang/failpoint.js';
import { epochOf, type MessageEpoch } from '../trust/epoch-headers.js';
import { destinationOf } from '../transport/subjects.js';
import { hostStatusType, type ReceivedStatus } from '../../contracts/host-status.js';
import { readHostStatus } from './read-host-status.js';
import type { AuditReceived } from './audit-received-event.js';
import type { ReceivedEvent, ReceivedHead, ReceivedRecord } from './inbox.js';
import { invalid, readEnvelope, type ReceivedEnvelope } from './read-envelope.js';
import { eventOf, receivedRecordOf } from './received-rows.js';

/** What to do with a message: keep it, ignore it, or make it a dead letter. */
export type ClassifiedMessage =
  | {
      readonly is: 'event';
      readonly event: ReceivedEvent;
      readonly envelope: ReceivedEnvelope;
      /** Undefined: it is not signed. */
      readonly proof?: MessageProof;
      readonly epoch?: MessageEpoch | undefined;
    }
  | {
      readonly is: 'record';
      readonly record: ReceivedRecord;
      readonly envelope: ReceivedEnvelope;
      readonly epoch?: MessageEpoch | undefined;
    }
  | { readonly is: 'head'; readonly store: Uuid; readonly head: ReceivedHead }
  | { readonly is: 'status'; readonly status: ReceivedStatus }
  | { readonly is: 'own' | 'unknown' | 'filtered' | 'untrusted' }
  | {
      readonly is: 'dead';
      readonly problem: unknown;
      readonly envelope: ReceivedEnvelope | undefined;
    };

export interface InboundFilter {
  /** Our own store. */
  readonly store: Uuid;
  /** The domain events that this service subscribes to. */
  readonly types: ReadonlySet<string>;
  readonly filter: Pick<TransportPublishFilter, 'shouldReceiveFromTransport'>;
  readonly audit?: AuditReceived | undefined;
}

/** Checks everything and never throws. */
export function classifyMessage(message: InboundMessage, wanted: InboundFilter): ClassifiedMessage {
  let envelope: ReceivedEnvelope | undefined;
  try {
    failpoint(`inbox-decode-${message.header('Nats-Msg-Id') ?? ''}`);
    envelope = readEnvelope(message.body, message.header('content-type'));
    mustAgree(message, envelope);
    return classifyEnvelope(envelope, message, wanted);
  } catch (problem) {
    return { is: 'dead', problem, envelope: envelope && withoutPayload(envelope) };
  }
}

function mustAgree(message: InboundMessage, envelope: ReceivedEnvelope): void {
  for (const [name, value] of [
    ['svc-store', envelope.store],
    ['svc-host', envelope.host],
    ['svc-position', String(envelope.globalPosition)],
  ] as const) {
    const header = message.header(name);
    if (header !== undefined && header !== value)
      throw new Problem('forged-header', { detail: `The header ${name} contradicts the body.` });
  }
  if (destinationOf(envelope) !== message.subject)
    throw invalid(`A message of type ${envelope.messageType} does not belong on ${message.subject}.`);
}

function classifyEnvelope(
  envelope: ReceivedEnvelope,
  message: InboundMessage,
  wanted: InboundFilter,
): ClassifiedMessage {
  const { messageType, store, streamId } = envelope;
  if (store === wanted.store) return { is: 'own' };
  const isSystem = streamId === SystemEventStreams.streamId;
  if (!isSystem && !wanted.types.has(messageType)) return { is: 'unknown' };
  // The name of another service's system message is unknown; only its subject reveals it.
  const type = isSystem ? (systemMessages.get(messageType) ?? SystemEvent) : messageType;
  if (!wanted.filter.shouldReceiveFromTransport(type)) return { is: 'filtered' };
  const epoch = epochOf(message);
  if (!isSystem) {
    const event = eventOf(envelope);
    const { subject, body } = message;
    const signed = { store, subject, contentType: message.header('content-type'), body, epoch };
    const proof = proofOf(signed, (name) => message.header(name));
    return {
      is: 'event',
      event: wanted.audit?.(event, envelope) ?? event,
      envelope: withoutPayload(envelope),
      epoch,
      ...(proof === undefined ? {} : { proof }),
    };
  }
  if (messageType === chainHeadType) return { is: 'head', store, head: headOf(store, envelope.payload) };
  if (messageType === hostStatusType) return { is: 'status', status: readHostStatus(envelope) };
  const record = receivedRecordOf(envelope, message.header('svc-body') === 'omitted');
  return { is: 'record', record, envelope: withoutPayload(envelope), epoch };
}

/** A batch is held until it is stored: keep payloads as text only, not as objects too. */
const withoutPayload = (envelope: ReceivedEnvelope): ReceivedEnvelope => ({ ...envelope, payload: null });

/** A bad signature does not make a dead letter: anybody could fill the room for those. It is counted and reported. */
function headOf(store: Uuid, payload: unknown): ReceivedHead {
  const claimed = (payload ?? {}) as Partial<SignedHead>;
  const { position, hash } = claimed;
  if (!isLong(position) || position < 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    throw invalid('A head of a chain needs a position and a hash.');
  const proof = readSignedHead(claimed);
  const isValid = proof?.store === store && isSigned(proof);
  return { position, hash, proof: isValid ? proof : 'invalid' };
}
