import {
  OrderCancelled,
  OrderCreated,
  OrderFulfilment,
  PaymentReceived,
  ReleaseStock,
  ReserveStock,
  StockReleased,
  StockReserved,
} from '../../actors/testing/order-fulfilment.js';
import { Command, type Event } from '../../contracts/message.js';
import {
  type FulfilmentCommand,
  fulfilmentReceptors,
  Happen,
} from '../../actors/testing/fulfilment-receptors.js';
import { Problem } from '../../contracts/problems.js';
import { later, type Reaction } from '../../contracts/reaction.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Schedule } from '../../contracts/schedule.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';

class RemindCustomer extends Command {
  declare orderId: Uuid;
}
class CloseDay extends Command {}

/** Asks for the payment after a while. */
const remind = (unprintable: ReadonlySet<Uuid>): Reaction<StockReserved> => ({
  name: 'remind-of-payment',
  events: [StockReserved],
  react: ({ payload: { orderId } }) => {
    if (unprintable.has(orderId)) throw new TypeError('The printer is jammed.');
    return later(RemindCustomer.of({ orderId }), { in: 'P3D', name: 'reminder', key: orderId });
  },
});

const nightly: Schedule = {
  name: 'nightly-close',
  cron: '30 2 * * *',
  timeZone: 'Europe/Berlin',
  command: () => new CloseDay(),
};

function mustNotBeIn(
  orders: ReadonlySet<Uuid>,
  { orderId }: { readonly orderId: Uuid },
  code: string,
  detail: string,
): void {
  if (orders.has(orderId)) throw new Problem(code, { status: 409, detail });
}

export interface ReactingShop {
  readonly definition: ServiceDefinition;
  /** Orders for which stock cannot be reserved. */
  readonly soldOut: Set<Uuid>;
  /** Orders whose stock cannot be released; their process has no way on, and is parked. */
  readonly kept: Set<Uuid>;
  /** Orders whose reaction throws. */
  readonly unprintable: Set<Uuid>;
  /** Orders whose customers cannot be reminded; their timers are parked. */
  readonly unreachable: Set<Uuid>;
  order(orderId?: Uuid): Promise<Uuid>;
  pay(orderId: Uuid): Promise<void>;
  cancel(orderId: Uuid): Promise<void>;
}

/** A shop with a process, a reaction, timers and a schedule. */
export function reactingShop(): ReactingShop {
  const soldOut = new Set<Uuid>();
  const kept = new Set<Uuid>();
  const unreachable = new Set<Uuid>();
  const unprintable = new Set<Uuid>();
  let local: Dispatcher | undefined;
  const check = (command: FulfilmentCommand): void => {
    if (command instanceof ReserveStock) mustNotBeIn(soldOut, command, 'out-of-stock', 'The shelf is empty.');
    if (command instanceof ReleaseStock)
      mustNotBeIn(kept, command, 'stock-kept', 'The stock has left the house.');
  };
  const remindCustomer = (command: RemindCustomer): void =>
    mustNotBeIn(unreachable, command, 'no-address', 'The customer cannot be reached.');
  const create = (dispatcher: Dispatcher) => {
    local = dispatcher;
    return {
      endpoints: [],
      receptors: [
        ...fulfilmentReceptors(check),
        { command: RemindCustomer, receptor: { handle: remindCustomer } },
        { command: CloseDay, receptor: { handle: () => undefined } },
      ],
      reactions: [remind(unprintable)],
      processes: [new OrderFulfilment()],
      schedules: [nightly],
      events: [OrderCreated, StockReserved, PaymentReceived, StockReleased, OrderCancelled],
    };
  };
  const happen = async (event: Event): Promise<void> => void (await local?.localInvoke(Happen.of({ event })));
  return {
    definition: { name: 'shop', create },
    soldOut,
    kept,
    unreachable,
    unprintable,
    order: async (orderId = newUuid()) => {
      await happen(OrderCreated.of({ orderId }));
      return orderId;
    },
    pay: (orderId) => happen(PaymentReceived.of({ orderId })),
    cancel: (orderId) => happen(OrderCancelled.of({ orderId })),
  };
}
