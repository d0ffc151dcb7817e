import type { ChainLink } from '../../contracts/event-store.js';
import type { InboundMessage } from '../../contracts/transport.js';
import type { Uuid } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { newUuid } from '../../contracts/uuid.js';
import { digestOf } from '../audit/chain.js';
import { encodeEnvelope } from '../envelope/envelope-codec.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { receivedMetadataOf } from '../envelope/stored-metadata.js';
import { outboundHeaders } from '../transport/outbound-headers.js';
import { destinationOf } from '../transport/subjects.js';

/** Another store and its messages. */
export class ForeignStore {
  readonly #streams = new Map<Uuid, number>();

  constructor(
    readonly id: Uuid = newUuid(),
    readonly host = 'far-away',
  ) {}

  /** The next event of a stream there. */
  event(streamId: Uuid, more: Partial<ReceivedEnvelope> = {}): ReceivedEnvelope {
    const streamPosition = (this.#streams.get(streamId) ?? 0) + 1;
    this.#streams.set(streamId, streamPosition);
    const now = new Date().toISOString();
    return {
      messageId: newUuid(),
      messageType: 'Baked',
      payload: { loaves: streamPosition },
      streamId,
      streamPosition,
      timestamp: now,
      occurredAt: now,
      recordedAt: now,
      correlationId: 'monday',
      store: this.id,
      host: this.host,
      v: 1,
      ...more,
    };
  }

  /** A record of its system stream, as its outbox publishes it. */
  record(messageType: string, stored: string, more: MoreOfRecord = {}): ReceivedEnvelope {
    const { chain, ...other } = more;
    const payload: unknown = JSON.parse(stored);
    const position = { globalPosition: 9 };
    const event = this.event(SystemEventStreams.streamId, { messageType, payload, ...position, ...other });
    const metadata = chain?.metadata ?? receivedMetadataOf(event);
    const content = { type: messageType, data: stored, metadata, host: this.host, publish: true };
    const digest = digestOf(content).toString('hex');
    return { ...event, chain: { hash: 'cd'.repeat(32), digest, ...chain } };
  }
}

type MoreOfRecord = Partial<Omit<ReceivedEnvelope, 'chain'>> & { readonly chain?: Partial<ChainLink> };

/** The message of an envelope, as a transport delivers it. */
export function inbound(
  envelope: ReceivedEnvelope,
  more: { readonly subject?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): InboundMessage {
  const stored = { ...envelope, globalPosition: 1 } as Parameters<typeof outboundHeaders>[0]['envelope'];
  const subject = more.subject ?? destinationOf(envelope);
  const headers = {
    ...outboundHeaders({ id: envelope.messageId, destination: subject, envelope: stored }),
    ...more.headers,
  } as Readonly<Record<string, string | undefined>>;
  return {
    subject,
    body: encodeEnvelope(envelope),
    header: (name) => headers[name],
    delivery: 1,
    unanswered: 0,
  };
}

/** A message with any body on any subject. */
export const inboundBytes = (subject: string, body: Uint8Array): InboundMessage => ({
  subject,
  body,
  header: () => undefined,
  delivery: 1,
  unanswered: 0,
});
