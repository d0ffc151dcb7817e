import type { Process } from '../../../actors/processes/process.js';
import { processSetup, shape } from '../../../actors/processes/process-setup.js';
import type { StoredEvent } from '../../../contracts/event-store.js';
import { Command, Event } from '../../../contracts/message.js';
import type { Uuid } from '../../../contracts/scalars.js';

export class Ordered extends Event {
  orderId!: Uuid;
}
export class Paid extends Event {
  orderId!: Uuid;
}
export class Delivered extends Event {
  orderId!: Uuid;
}
export class Expired extends Event {
  orderId!: Uuid;
}
export class Deliver extends Command {
  orderId!: Uuid;
}
export class Expire extends Command {
  orderId!: Uuid;
}

/** Clients pay at about this time, so that payment and timeout meet. */
export const paymentTimeoutMs = 1_000;

const payment = processSetup({
  events: { Ordered, Paid, Delivered, Expired },
  commands: { Deliver, Expire },
  context: shape<{ orderId: Uuid }>(),
  delays: { timeout: paymentTimeoutMs },
}).createMachine({
  id: 'payment',
  context: ({ input }) => ({ orderId: input.data.orderId }),
  initial: 'waiting',
  states: {
    waiting: { after: { timeout: 'expiring' }, on: { Paid: 'delivering' } },
    delivering: {
      entry: { type: 'send', params: ({ context: { orderId } }) => Deliver.of({ orderId }) },
      on: { Delivered: 'paid' },
    },
    expiring: {
      entry: { type: 'send', params: ({ context: { orderId } }) => Expire.of({ orderId }) },
      on: { Expired: 'expired' },
    },
    paid: { type: 'final' },
    expired: { type: 'final' },
  },
});

/** A payment against its timeout: one of them wins. */
export class PaymentProcess implements Process<typeof payment> {
  readonly name = 'payment';
  readonly version = 1;
  readonly machine = payment;
  readonly starts = [Ordered];
  key = ({ payload }: StoredEvent<{ orderId: Uuid }>): Uuid => payload.orderId;
}
