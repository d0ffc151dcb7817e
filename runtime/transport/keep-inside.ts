import { type Envelope, type MessageClass, typeNameOf } from '../../contracts/message.js';
import type { TransportPublishFilter } from '../../contracts/transport-filter.js';

/** Events of the runtime itself stay in their store, whichever host has written them. */
export function keepInside(
  filter: TransportPublishFilter,
  types: readonly MessageClass[],
): TransportPublishFilter {
  if (types.length === 0) return filter;
  const names = new Set(types.map(typeNameOf));
  return {
    shouldPublishToTransport: (message) =>
      !names.has((message as Partial<Envelope>).messageType ?? message.constructor.name) &&
      filter.shouldPublishToTransport(message),
    shouldReceiveFromTransport: (type) => filter.shouldReceiveFromTransport(type),
  };
}
