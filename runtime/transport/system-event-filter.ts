import {
  type Envelope,
  type MessageClass,
  type MessageType,
  messageTypeOf,
} from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';

/** Domain messages always pass; system messages only when the host broadcasts. */
export class SystemEventTransportFilter implements TransportPublishFilter {
  constructor(private readonly options: SystemEventOptions) {}

  shouldPublishToTransport(message: object): boolean {
    if (!this.options.localOnly) return isMessage(message);
    if (!isEnvelope(message))
      return isMessage(message) && !isSystemMessage(message.constructor as MessageClass);
    // The stream reveals a system event of another service, whose type name is unknown.
    return message.streamId !== SystemEventStreams.streamId && !isSystemMessage(messageTypeOf(message));
  }

  shouldReceiveFromTransport(type: MessageType): boolean {
    return !isSystemMessage(type) || !this.options.localOnly;
  }
}

function isMessage(message: unknown): message is object {
  if (typeof message === 'object' && message !== null) return true;
  throw new Problem('invalid-setup', { detail: 'A message or its envelope is missing.' });
}

const isEnvelope = (message: unknown): message is Envelope =>
  typeof message === 'object' &&
  message !== null &&
  typeof (message as Partial<Envelope>).messageType === 'string' &&
  'payload' in message;
