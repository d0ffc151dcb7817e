import type { StoredEvent } from '../../contracts/event-store.js';
import type { OutboundMessage, SubscriptionRequest } from '../../contracts/transport.js';
import { decodeBytes } from '../envelope/envelope-codec.js';

/** A subscription that handles messages one by one; what the handler throws rejects the message. */
export const messageListener = (
  pattern: string,
  onMessage: (message: OutboundMessage) => void | Promise<void>,
): SubscriptionRequest => ({
  name: `receives ${pattern}`,
  subjects: [pattern],
  handle: async (batch) => {
    for (const { subject, body } of batch) {
      const envelope = decodeBytes(body) as StoredEvent;
      await onMessage({ destination: subject, id: envelope.messageId, envelope });
    }
    return batch.map(() => 'done' as const);
  },
});
