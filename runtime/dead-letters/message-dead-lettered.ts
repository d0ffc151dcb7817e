import { MessageDeadLettered } from '../../contracts/events/error.js';
import { systemMessageCategoryOf } from '../../contracts/system-messages.js';

type Letter = Omit<ConstructorParameters<typeof MessageDeadLettered>[0], 'id' | 'timestamp'>;

/** The report of a dead letter for the system stream; undefined for an error event, which would report itself forever. */
export const messageDeadLettered = (letter: Letter): MessageDeadLettered | undefined =>
  systemMessageCategoryOf(letter.messageType) === 'error'
    ? undefined
    : new MessageDeadLettered({ ...letter, timestamp: new Date().toISOString() });
