import { type Decode, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Permission } from '../../contracts/permission.js';
import { type PerspectiveScope, ScopeFilters } from '../../contracts/perspective-scope.js';
import type { Dispatcher, Receptor } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { guard } from '../../runtime/access/guard-resource.js';
import { authenticate } from './test-credentials.js';

const write = Permission.write('orders');
const read = Permission.read('orders');

@CommandEndpoint<PlaceOrder, unknown>({ restRoute: '/place', permission: write })
class PlaceOrder extends Command {
  item!: string;
}

@CommandEndpoint<CancelOrder, unknown>({ restRoute: '/cancel', permission: write })
class CancelOrder extends Command {
  orderId!: string;
}

class OrderPlaced extends Event {
  item!: string;
  userId!: string;
}

class OrderCancelled extends Event {
  orderId!: string;
}

interface Order {
  readonly item: string;
  readonly userId: string;
}

const place: Receptor<PlaceOrder, unknown> = {
  handle: ({ item }, work) => {
    const orderId = newUuid();
    work.append(orderId, OrderPlaced.of({ item, userId: work.context.scope.userId ?? '' }));
    return { orderId };
  },
};

/** Only those who placed an order may cancel it. */
const cancel: Receptor<CancelOrder, unknown> = {
  handle: async ({ orderId }, work) => {
    let userId = '';
    for await (const { payload } of work.read(orderId))
      ({ userId = userId } = payload as { userId?: string });
    guard(work.context, Permission.of('orders', 'cancel'), { type: 'Order', id: orderId, scope: { userId } });
    work.append(orderId, OrderCancelled.of({ orderId }));
    return {};
  },
};

const orders = {
  events: [OrderPlaced],
  initial: (): Order => ({ item: '', userId: '' }),
  apply: (_: Order, { payload: { item, userId } }: { readonly payload: OrderPlaced }): Order => ({
    item,
    userId,
  }),
  permission: read,
};

const ownOrders: Perspective<Order, OrderPlaced> = {
  ...orders,
  name: 'own-orders',
  route: '/own-orders',
  columns: {
    userId: { type: 'text', of: ({ userId }) => userId },
    item: { type: 'text', of: ({ item }) => item },
  },
  filters: ScopeFilters.User,
};

/** Secret items are for callers with a high clearance. */
const openOrders: Perspective<Order, OrderPlaced> = {
  ...orders,
  name: 'open-orders',
  route: '/open-orders',
  authorize: ({ item }: Order, { extensions }: PerspectiveScope) =>
    !item.startsWith('secret') || extensions['clearance'] === 'high',
};

const decodeAs =
  <T extends Command>(type: new () => T, member: string): Decode<T> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    if (from === undefined) return invalid;
    return Object.assign(new type(), { [member]: text(from[member], `${path}/${member}`, faults) });
  };

/** A service that guards its commands, a resource of a receptor, and the rows of its read models. */
export const guardedShop: ServiceDefinition = {
  name: 'guarded-shop',
  authenticate,
  create: (dispatcher: Dispatcher) => ({
    endpoints: [
      endpoint({
        command: PlaceOrder,
        endpoint: new HookedEndpoint(dispatcher, {}),
        decode: decodeAs(PlaceOrder, 'item'),
      }),
      endpoint({
        command: CancelOrder,
        endpoint: new HookedEndpoint(dispatcher, {}),
        decode: decodeAs(CancelOrder, 'orderId'),
      }),
    ],
    receptors: [receptor(PlaceOrder, place), receptor(CancelOrder, cancel)],
    perspectives: [ownOrders, openOrders],
    events: [OrderPlaced, OrderCancelled],
  }),
};
