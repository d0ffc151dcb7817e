import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Process } from '../../actors/processes/process.js';
import { processSetup, shape } from '../../actors/processes/process-setup.js';
import { type Decode, invalid, object } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';

/** What the followers of an order meet, as long as a file of this name exists. */
export type Trouble = 'none' | 'poison' | 'slow';

export interface Order {
  readonly orderId: Uuid;
  readonly customerId: Uuid;
  readonly trouble: Trouble;
}

@CommandEndpoint<PlaceOrder, unknown>({ restRoute: '/orders' })
class PlaceOrder extends Command implements Order {
  orderId!: Uuid;
  customerId!: Uuid;
  trouble!: Trouble;
  text!: string;
}
/** Sent by a reaction. */
class SendReceipt extends Command implements Order {
  orderId!: Uuid;
  customerId!: Uuid;
  trouble!: Trouble;
}
/** Sent by a process when it starts. */
class ShipOrder extends SendReceipt {}
/** Sent by a timer of the process. */
class AskForReview extends SendReceipt {}

class OrderCreated extends Event implements Order {
  orderId!: Uuid;
  customerId!: Uuid;
  trouble!: Trouble;
  text!: string;
}
class ReceiptSent extends Event implements Order {
  orderId!: Uuid;
  customerId!: Uuid;
  trouble!: Trouble;
}
class OrderShipped extends ReceiptSent {}
class ReviewAsked extends ReceiptSent {}

const orderOf = ({ orderId, customerId, trouble }: Order): Order => ({ orderId, customerId, trouble });

const { SHOP_TROUBLES: troubles = '', SHOP_VERSION: version = '1.0.0' } = process.env;
const isThere = (trouble: Trouble): boolean => trouble !== 'none' && existsSync(join(troubles, trouble));

function refusePoison({ trouble }: Order): void {
  if (trouble === 'poison' && isThere(trouble)) throw new Problem('poisoned', { status: 422 });
}

async function meetTrouble(order: Order): Promise<void> {
  refusePoison(order);
  while (order.trouble === 'slow' && isThere('slow')) await delay(20);
}

/** The orders of each customer, in the order in which they were seen. */
const ordersSeen = (
  name: string,
  origin: 'own' | 'others',
): Perspective<{ readonly orders: readonly Uuid[] }, OrderCreated> => ({
  name,
  origin,
  events: [OrderCreated],
  initial: () => ({ orders: [] }),
  apply: ({ orders }, { payload }) => {
    if (origin === 'own') refusePoison(payload);
    return { orders: [...orders, payload.orderId] };
  },
});

const sendReceipt: Reaction<OrderCreated> = {
  name: 'send-receipt',
  events: [OrderCreated],
  from: 'start',
  react: ({ payload }) => SendReceipt.of(orderOf(payload)),
};

const shipping: Process = {
  name: 'shipping',
  version: 1,
  starts: [OrderCreated],
  key: ({ payload }: StoredEvent) => (payload as Order).orderId,
  machine: processSetup({
    events: { OrderCreated, OrderShipped, ReviewAsked },
    commands: { ShipOrder, AskForReview },
    context: shape<Order>(),
    delays: { aWhile: 100 },
  }).createMachine({
    id: 'shipping',
    context: ({ input }) => orderOf(input.data),
    initial: 'packing',
    states: {
      packing: {
        entry: { type: 'send', params: ({ context }) => ShipOrder.of(context) },
        on: { OrderShipped: 'shipped' },
      },
      shipped: { after: { aWhile: 'asking' } },
      asking: {
        entry: { type: 'send', params: ({ context }) => AskForReview.of(context) },
        on: { ReviewAsked: 'reviewed' },
      },
      reviewed: { type: 'final' },
    },
  }),
};

const append = (work: UnitOfWork, stream: Uuid, event: Event): void =>
  void work.append(stream, event, { expectedPosition: 'any' });

const receptors: Registry['receptors'] = [
  receptor(PlaceOrder, {
    handle: ({ text, ...order }, work) =>
      append(work, order.customerId, OrderCreated.of({ ...orderOf(order), text })),
  }),
  receptor(SendReceipt, {
    handle: async (order, work) => {
      await meetTrouble(order);
      append(work, order.customerId, ReceiptSent.of(orderOf(order)));
    },
  }),
  receptor(ShipOrder, {
    handle: async (order, work) => {
      await meetTrouble(order);
      append(work, order.orderId, OrderShipped.of(orderOf(order)));
    },
  }),
  receptor(AskForReview, {
    handle: (order, work) => append(work, order.orderId, ReviewAsked.of(orderOf(order))),
  }),
];

const decode: Decode<PlaceOrder> = (value, path, faults) => {
  const from = object(value, path, faults);
  return from === undefined ? invalid : Object.assign(new PlaceOrder(), from);
};

const shop: ServiceDefinition = {
  name: 'shop',
  version,
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: PlaceOrder,
        decode,
        encode: () => null,
        endpoint: new HookedEndpoint<PlaceOrder>(dispatcher, {}),
      }),
    ],
    receptors,
    events: [OrderCreated, ReceiptSent, OrderShipped, ReviewAsked],
    perspectives: [ordersSeen('customers', 'own')],
    reactions: [sendReceipt],
    processes: [shipping],
  }),
};

/** Another service, which subscribes to the orders of the shop. */
const warehouse: ServiceDefinition = {
  name: 'warehouse',
  version,
  create: () => ({ endpoints: [], receptors: [], perspectives: [ordersSeen('far-orders', 'others')] }),
};

/** A version of a service that has none of its followers. */
const bare = (service: ServiceDefinition): ServiceDefinition => ({
  ...service,
  create: (dispatcher) => ({ ...service.create(dispatcher), perspectives: [], reactions: [], processes: [] }),
});

const role = process.env['SHOP_ROLE'] === 'warehouse' ? warehouse : shop;

/** Every kind of follower: a perspective, a reaction, a process with a timer; over a broker, the relay and the subscriber. */
export default process.env['SHOP_FOLLOWERS'] === '0' ? bare(role) : role;
