import { Permission, type Process, processSetup, shape, type StoredEvent, type Uuid } from 'svc-runtime';
import { CancelOrder } from './cancel-order.js';
import {
  OrderCancelled,
  OrderCreated,
  OrderPaid,
  OrderShipped,
  StockReleased,
  StockReserved,
} from './events.js';
import { ReleaseStock, ReserveStock } from './stock.js';

/** A customer may be faster than the reservation. */
const whileUnpaid = {
  OrderPaid: 'paid',
  // Shipped on account.
  OrderShipped: 'paid',
  OrderCancelled: 'releasing',
} as const;

interface Fulfilment {
  readonly orderId: Uuid;
  readonly reason: string;
}

const setup = processSetup({
  events: { OrderCreated, StockReserved, OrderPaid, OrderShipped, OrderCancelled, StockReleased },
  commands: { ReserveStock, ReleaseStock, CancelOrder },
  context: shape<Fulfilment>(),
  delays: { paymentTimeout: 'PT15M' },
});

const machine = setup.createMachine({
  id: 'order-fulfilment',
  context: ({ input }) => ({ orderId: input.data.orderId, reason: '' }),
  initial: 'reserving',
  states: {
    reserving: {
      entry: { type: 'send', params: ({ context: { orderId } }) => ReserveStock.of({ orderId }) },
      on: {
        ...whileUnpaid,
        StockReserved: 'awaitingPayment',
        'ReserveStock.refused': { target: 'cancelling', actions: setup.assign({ reason: 'out-of-stock' }) },
      },
    },
    awaitingPayment: {
      after: { paymentTimeout: { target: 'releasing', actions: setup.assign({ reason: 'unpaid' }) } },
      on: whileUnpaid,
    },
    releasing: {
      entry: { type: 'send', params: ({ context: { orderId } }) => ReleaseStock.of({ orderId }) },
      // Refused: it was paid at the last moment.
      on: { StockReleased: 'cancelling', 'ReleaseStock.refused': 'paid' },
    },
    cancelling: {
      entry: { type: 'send', params: ({ context }) => CancelOrder.of(context) },
      // Refused: the customer has cancelled it already.
      on: { OrderCancelled: 'cancelled', 'CancelOrder.refused': 'cancelled' },
    },
    paid: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

/** Reserves stock, waits for the payment, and undoes what it did when there is none. */
export class OrderFulfilment implements Process<typeof machine> {
  readonly name = 'order-fulfilment';
  readonly version = 1;
  readonly machine = machine;
  readonly starts = [OrderCreated];
  readonly route = '/fulfilments';
  readonly permission = Permission.read('orders');

  key({ payload }: StoredEvent<{ orderId: Uuid }>): string {
    return payload.orderId;
  }

  view({ reason }: Fulfilment): { readonly reason: string } {
    return { reason };
  }
}
