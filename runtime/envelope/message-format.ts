import type { StoredEvent } from '../../contracts/event-store.js';
import type { MessageFormat } from '../../contracts/transport.js';
import { cloudEventType, decodeCloudEvent, encodeCloudEvent } from './cloud-event.js';
import { decodeBytes, encodeEnvelope } from './envelope-codec.js';

/** How one format writes an envelope. */
interface MessageEncoding {
  readonly headers: Readonly<Record<string, string>>;
  readonly encode: (envelope: StoredEvent) => Uint8Array;
}

export const encodings: Readonly<Record<MessageFormat, MessageEncoding>> = {
  msgpack: { headers: {}, encode: encodeEnvelope },
  cloudevents: { headers: { 'content-type': cloudEventType }, encode: encodeCloudEvent },
};

/** Decodes a body of either format; its content type decides. */
export function decodeMessage(body: Uint8Array, contentType = ''): unknown {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase() === cloudEventType ? decodeCloudEvent(body) : decodeBytes(body);
}
