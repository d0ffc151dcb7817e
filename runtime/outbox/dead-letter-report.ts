import { MessageDeadLettered } from '../../contracts/events/error.js';
import { systemMessageCategoryOf } from '../../contracts/system-messages.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import type { Rejection } from './outbox.js';

/** What the system stream is told about a dead letter; nothing about one that is an error event itself. */
export function deadLetterReport(
  { destination, envelope, id }: OutboundMessage,
  { attempts, error, fingerprint }: Rejection,
): MessageDeadLettered | undefined {
  if (systemMessageCategoryOf(envelope.messageType) === 'error') return undefined;
  return new MessageDeadLettered({
    messageId: id,
    messageType: envelope.messageType,
    destination,
    attempts,
    lastError: error,
    fingerprint,
    timestamp: new Date().toISOString(),
  });
}
