import type { TransportPublishFilter } from '../../contracts/transport-filter.js';

/**
 * Whoever relays, the host that wrote a message decides about it: what another host marked to publish goes out,
 * about its own messages this host is asked once more.
 */
export const ownMessagesFilter = (filter: TransportPublishFilter, host: string): TransportPublishFilter => ({
  shouldPublishToTransport: (message) =>
    ('host' in message && message.host !== undefined && message.host !== host) ||
    filter.shouldPublishToTransport(message),
  shouldReceiveFromTransport: (type) => filter.shouldReceiveFromTransport(type),
});
