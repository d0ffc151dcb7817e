import { Command, Event } from '../../../contracts/message.js';
import type { EffectRegistration } from '../../../contracts/effect.js';
import type { Receptor, ReceptorRegistration } from '../../../contracts/receptor.js';
import type { Uuid } from '../../../contracts/scalars.js';

export class Ordered extends Event {
  declare orderId: Uuid;
  declare round: string;
}
class Printed extends Event {
  declare round: string;
  declare calledAt: number;
}
/** Stores an event, and asks for a label or not. */
export class Order extends Command {
  declare orderId: Uuid;
  declare round: string;
  declare asks: boolean;
}
class PrintLabel extends Command {
  declare orderId: Uuid;
  declare round: string;
}

const order: Receptor<Order, void> = {
  handle: ({ orderId, round, asks }, work) => {
    work.append(orderId, Ordered.of({ orderId, round }), { expectedPosition: 'any' });
    if (asks) work.send(PrintLabel.of({ orderId, round }));
  },
};

export const orderReceptors: readonly ReceptorRegistration[] = [{ command: Order, receptor: order }];

/** A printer that answers at once: what remains is what we add. */
export const printer: readonly EffectRegistration[] = [
  {
    command: PrintLabel,
    effect: {
      name: 'printer',
      perLane: 64,
      stream: ({ orderId }: PrintLabel) => orderId,
      call: ({ round }: PrintLabel) => Promise.resolve(Printed.of({ round, calledAt: Date.now() })),
    },
  },
];
