import type { StoredEvent } from '../../contracts/event-store.js';
import { Problem } from '../../contracts/problems.js';
import type { MessageFormat, OutboundMessage } from '../../contracts/transport.js';
import { encodings } from '../envelope/message-format.js';
import type { SignMessage } from '../trust/signed-message.js';
import { outboundHeaders } from './outbound-headers.js';

/** A message in its wire format. */
export interface PackedMessage {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Packing {
  readonly format?: MessageFormat | undefined;
  /** Signs domain messages one by one. */
  readonly sign?: SignMessage | undefined;
  /** The name of the sending service. */
  readonly service?: string | undefined;
}

export const largestBody = 512 * 1024;
/** Headers count as payload too. */
const reservedForHeaders = 4 * 1024;
/** The bodies that an audit may omit. */
export const omittedBodies = ['originalBody', 'commandBody'] as const;

/** An audit that is too large is sent without its body; anything else that is too large is rejected. */
export function packMessage(
  message: OutboundMessage,
  maxPayload: number,
  { format = 'msgpack', sign, service }: Packing = {},
): PackedMessage {
  const { encode, headers: described } = encodings[format];
  const limit = Math.min(largestBody, maxPayload - reservedForHeaders);
  const headers = { ...outboundHeaders(message, service), ...described };
  const body = encode(message.envelope);
  const signed = (sent: Uint8Array) => ({ ...headers, ...signatureOf(message, described, sent, sign) });
  if (body.length <= limit) return { body, headers: signed(body) };
  const lighter = withoutBody(message.envelope);
  const rest = lighter === undefined ? body : encode(lighter);
  if (rest.length <= limit) return { body: rest, headers: { ...signed(rest), 'svc-body': 'omitted' } };
  throw new Problem('message-too-large', {
    detail: `The message has ${rest.length} bytes; the transport accepts ${limit}.`,
  });
}

/** Records are not signed one by one: the signed head of their chain covers them. */
const signatureOf = (
  { destination: subject, epoch }: OutboundMessage,
  described: Readonly<Record<string, string>>,
  body: Uint8Array,
  sign: SignMessage | undefined,
): Readonly<Record<string, string>> | undefined =>
  subject.startsWith('svc.events.') && epoch !== undefined
    ? sign?.({ subject, contentType: described['content-type'], body, epoch })
    : undefined;

function withoutBody(envelope: StoredEvent): StoredEvent | undefined {
  const { payload } = envelope;
  if (typeof payload !== 'object' || payload === null) return undefined;
  const held = omittedBodies.filter((name) => name in payload);
  if (held.length === 0) return undefined;
  return { ...envelope, payload: { ...payload, ...Object.fromEntries(held.map((name) => [name, null])) } };
}
