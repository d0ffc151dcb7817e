import type { StoredEvent } from '../../contracts/event-store.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { newUuid } from '../../contracts/uuid.js';
import { cloudEventType, encodeCloudEvent } from '../envelope/cloud-event.js';
import { encodeEnvelope } from '../envelope/envelope-codec.js';
import type { ReceivedEnvelope } from '../inbox/read-envelope.js';
import { destinationOf } from '../transport/subjects.js';
import { ForeignStore } from './foreign-events.js';
import { doubling, hostileBytes } from './hostile-bytes.js';
import { type HostileChange, wrongEvents, wrongFields, wrongRecords } from './hostile-envelopes.js';

/** A message that a broker may deliver and no host can accept. */
export interface HostileMessage {
  readonly name: string;
  readonly subject: string;
  readonly body: Uint8Array;
  /** As written on the wire. */
  readonly headers?: string;
  /** The reason in the dead letter. */
  readonly why: string;
}

/** Every known way to send an invalid message; the events are of a subscribed type. */
export function hostileMessages(eventType: string): readonly HostileMessage[] {
  const far = new ForeignStore();
  const event = (more: Readonly<Record<string, unknown>> = {}): ReceivedEnvelope =>
    far.event(newUuid(), { messageType: eventType, ...more });
  const subjects = [
    `svc.events.${eventType}`,
    'svc.core.auditevents',
    'svc.system.ChainHead',
    'svc.system.Invented',
  ];
  return [
    ...subjects.flatMap((subject) =>
      hostileBytes.map(([name, body, why]) => ({ name: `${name} on ${subject}`, subject, body, why })),
    ),
    ...[...wrongFields, ...wrongEvents].map(({ name, more, why }: HostileChange) => ({
      name: `an event: ${name}`,
      subject: `svc.events.${eventType}`,
      body: encodeEnvelope(event(more)),
      why,
    })),
    ...wrongRecords.map(({ name, type, payload, more, why, headers }) => {
      const record = far.event(SystemEventStreams.streamId, { messageType: type, payload, ...more });
      const subject = destinationOf(record);
      return {
        name: `a record: ${name}`,
        subject,
        body: encodeEnvelope(record),
        why,
        ...(headers === undefined ? {} : { headers }),
      };
    }),
    {
      name: 'an event that is valid except for references in its payload',
      subject: `svc.events.${eventType}`,
      body: withPayload(event({ payload: placeholder }), doubling(24)),
      why: 'Extensions of msgpack are not accepted.',
    },
    ...cloudEventsOf(eventType, () => event()),
    ...lyingHeaders.map((header) => ({
      name: `an event with ${header}`,
      subject: `svc.events.${eventType}`,
      body: encodeEnvelope(event()),
      headers: `NATS/1.0\r\n${header}`,
      why: 'forged-header',
    })),
  ];
}

/** What is wrong with each; undefined removes an attribute. */
const hostileCloudEvents: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
  ['of another version', { specversion: '0.3' }, 'not a CloudEvent 1.0'],
  ['without an id', { id: undefined }, 'messageId'],
  ['without a stream', { subject: undefined }, 'streamId'],
  ['without data', { data: undefined }, 'There is no payload.'],
  ['with binary data', { data_base64: 'AA==' }, 'must be JSON'],
  ['of another source', { source: 'urn:uuid:018f0000-0000-7000-8000-000000000001' }, 'forged-header'],
  ['without a store', { store: undefined }, 'forged-header'],
  ['with a position that is no number', { streamposition: '1e3' }, 'streamPosition'],
  ['with a scope that is no object', { scope: '[' }, 'scope'],
  ['of a type that does not belong here', { type: 'Other' }, 'does not belong on'],
];

const cloudEventsOf = (eventType: string, event: () => ReceivedEnvelope): readonly HostileMessage[] =>
  hostileCloudEvents.map(([name, more, why]) => ({
    name: `a CloudEvent ${name}`,
    subject: `svc.events.${eventType}`,
    body: changedCloudEvent(event(), more),
    headers: `NATS/1.0\r\ncontent-type: ${cloudEventType}`,
    why,
  }));

function changedCloudEvent(envelope: ReceivedEnvelope, more: Readonly<Record<string, unknown>>): Uint8Array {
  const body = encodeCloudEvent({ ...envelope, globalPosition: 1 } as StoredEvent);
  const event = JSON.parse(Buffer.from(body).toString()) as object;
  return Buffer.from(JSON.stringify({ ...event, ...more }));
}

const placeholder = 'payload stands here';

/** An envelope with these msgpack bytes as its payload. */
function withPayload(envelope: ReceivedEnvelope, payload: Uint8Array): Uint8Array {
  const body = Buffer.from(encodeEnvelope(envelope));
  const at = body.indexOf(placeholder);
  // The length of such a short text is in the byte before it.
  return Buffer.concat([body.subarray(0, at - 1), payload, body.subarray(at + placeholder.length)]);
}

const lyingHeaders = [
  'svc-host: someone-else',
  'svc-host: ',
  `svc-host: ${'x'.repeat(30_000)}`,
  'svc-store: 018f0000-0000-7000-8000-000000000001',
  'svc-store: \u0001',
];

/** Meaningless or unreadable headers: their messages are accepted all the same. */
export const meaninglessHeaders: readonly string[] = [
  'garbage',
  'NATS/1.0\r\nsvc host: a space',
  'NATS/1.0\r\nsvc-höst: not ASCII',
  'NATS/1.0 503 No Responders',
  'NATS/1.0 100 Idle Heartbeat',
  `NATS/1.0\r\n${Array.from({ length: 500 }, (_, n) => `x-${n}: ${n}`).join('\r\n')}`,
  `NATS/1.0\r\nNats-Msg-Id: ${'x'.repeat(10_000)}`,
  'NATS/1.0\r\ntraceparent: 00-zz-zz-zz',
  'NATS/1.0\r\nsvc-body: omitted',
  'NATS/1.0\r\nsvc-correlation-id: another',
];
