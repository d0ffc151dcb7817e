import { Command, Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';

export class PrintLabel extends Command {
  declare orderId: Uuid;
}
export class LabelPrinted extends Event {
  declare orderId: Uuid;
}
