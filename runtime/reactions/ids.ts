import type { Uuid } from '../../contracts/scalars.js';
import { namedUuid } from '../lang/named-uuid.js';

/** How many reactions and timers may follow each other without a request between them. */
export const maxDepth = 32;

/** The id of the nth command that a reaction or process sends because of an event: the same for every retry. */
export const commandIdOf = (store: Uuid, eventId: Uuid, reaction: string, index: number): Uuid =>
  namedUuid('command', store, eventId, reaction, String(index));

/** The id of the command that a timer sends: another one when the timer is set again for another time. */
export const firedCommandIdOf = (timerId: Uuid, due: string): Uuid => namedUuid('timer', timerId, due);
