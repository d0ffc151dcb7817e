import { assign } from 'xstate';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Process } from '../processes/process.js';
import { processSetup, shape } from '../processes/process-setup.js';

export class OrderCreated extends Event {
  orderId!: Uuid;
}
export class StockReserved extends Event {
  orderId!: Uuid;
  reservationId!: Uuid;
}
export class PaymentReceived extends Event {
  orderId!: Uuid;
}
export class StockReleased extends Event {
  orderId!: Uuid;
}
export class OrderCancelled extends Event {
  orderId!: Uuid;
}
export class ReserveStock extends Command {
  orderId!: Uuid;
}
export class ReleaseStock extends Command {
  orderId!: Uuid;
  reservationId!: Uuid;
}
export class CancelOrder extends Command {
  orderId!: Uuid;
  reason!: string;
}

interface Order {
  orderId: Uuid;
  reservationId?: Uuid;
  reason: string;
}

export const fulfilment = processSetup({
  events: { OrderCreated, StockReserved, PaymentReceived, StockReleased, OrderCancelled },
  commands: { ReserveStock, ReleaseStock, CancelOrder },
  context: shape<Order>(),
  delays: { paymentTimeout: 15 * 60_000 },
}).createMachine({
  id: 'order-fulfilment',
  context: ({ input }) => ({ orderId: input.data.orderId, reason: '' }),
  initial: 'reserving',
  states: {
    reserving: {
      entry: { type: 'send', params: ({ context: { orderId } }) => ReserveStock.of({ orderId }) },
      on: {
        StockReserved: {
          target: 'awaitingPayment',
          actions: assign({ reservationId: ({ event }) => event.data.reservationId }),
        },
        'ReserveStock.refused': {
          target: 'cancelling',
          actions: assign({ reason: ({ event }) => event.problem.code }),
        },
      },
    },
    awaitingPayment: {
      after: { paymentTimeout: { target: 'releasing', actions: assign({ reason: 'unpaid' }) } },
      on: { PaymentReceived: 'paid', OrderCancelled: 'releasing' },
    },
    releasing: {
      entry: {
        type: 'send',
        params: ({ context: { orderId, reservationId = '' } }) => ReleaseStock.of({ orderId, reservationId }),
      },
      on: { StockReleased: 'cancelling' },
    },
    cancelling: {
      entry: {
        type: 'send',
        params: ({ context: { orderId, reason } }) => CancelOrder.of({ orderId, reason }),
      },
      on: { OrderCancelled: 'cancelled', 'CancelOrder.refused': 'cancelled' },
    },
    paid: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** The process of the design: it reserves stock, waits for the payment, and undoes what it did when there is none. */
export class OrderFulfilment implements Process<typeof fulfilment> {
  readonly name = 'order-fulfilment';
  readonly version = 2;
  readonly machine = fulfilment;
  readonly starts = [OrderCreated];
  key = ({ payload }: StoredEvent<{ orderId: Uuid }>) => payload.orderId;
}
