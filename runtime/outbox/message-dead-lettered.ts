import { MessageDeadLettered } from '../../contracts/events/error.js';
import { systemMessageCategoryOf } from '../../contracts/system-messages.js';
import type { OutboundMessage } from '../../contracts/transport.js';
import type { Rejection } from './outbox.js';

/** The report of a dead letter for the system stream; undefined for an error event, which would report itself forever. */
export function messageDeadLettered(
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
