import { Command, Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';

/** What a printer answers to end its host. */
export const deadlyStatus = 418;

export class PrintLabel extends Command {
  declare orderId: Uuid;
}
export class LabelPrinted extends Event {
  declare orderId: Uuid;
}
