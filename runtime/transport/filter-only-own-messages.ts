import type { TransportPublishFilter } from '../../contracts/transport-filter.js';

/**
 * Whichever host relays, the host that wrote a message decides about it: what another host marked for publishing is
 * published; for its own messages the filter of this host is asked again.
 */
export const filterOnlyOwnMessages = (
  filter: TransportPublishFilter,
  host: string,
): TransportPublishFilter => ({
  shouldPublishToTransport: (message) =>
    ('host' in message && message.host !== undefined && message.host !== host) ||
    filter.shouldPublishToTransport(message),
  shouldReceiveFromTransport: (type) => filter.shouldReceiveFromTransport(type),
});
