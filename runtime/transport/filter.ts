import type { Envelope, MessageClass, MessageType } from '../../contracts/message.js';
import type { SystemEventOptions } from '../../contracts/system-event-options.js';
import { isSystemMessage } from '../../contracts/system-messages.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';

/** Domain messages always cross; system messages only when the host broadcasts. */
export class SystemEventTransportFilter implements TransportPublishFilter {
  constructor(private readonly options: SystemEventOptions) {}

  shouldPublishToTransport(message: object): boolean {
    return this.#crosses(typeOf(message));
  }

  shouldReceiveFromTransport(type: MessageType): boolean {
    return this.#crosses(type);
  }

  #crosses(type: MessageType): boolean {
    return !isSystemMessage(type) || !this.options.localOnly;
  }
}

/** The class of what an envelope carries where it is known, else its type name. */
function typeOf(message: object): MessageType {
  if (!isEnvelope(message)) return message.constructor as MessageClass;
  const { payload, messageType } = message;
  const type =
    typeof payload === 'object' && payload !== null ? (payload.constructor as MessageClass) : Object;
  return type === Object ? messageType : type;
}

const isEnvelope = (message: object): message is Envelope =>
  typeof (message as Partial<Envelope>).messageType === 'string' && 'payload' in message;
