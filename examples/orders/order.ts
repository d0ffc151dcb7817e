import { type Decimal, isEventOf, Problem, type StoredEvent, type UnitOfWork, type Uuid } from 'svc-runtime';
import type { LineItem } from './create-order.js';
import { OrderCreated } from './events.js';

export type OrderStatus = 'created' | 'paid' | 'shipped' | 'cancelled' | 'archived';

const statusAfterEvent: Readonly<Record<string, OrderStatus>> = {
  OrderPaid: 'paid',
  OrderShipped: 'shipped',
  OrderCancelled: 'cancelled',
  OrderArchived: 'archived',
};

/** An order that is shipped before it is paid stays shipped. */
export const statusAfter = (status: OrderStatus, { messageType }: StoredEvent): OrderStatus =>
  messageType === 'OrderPaid' && status !== 'created' ? status : (statusAfterEvent[messageType] ?? status);

export interface Order {
  readonly status: OrderStatus;
  readonly isPaid: boolean;
  readonly total: Decimal;
  readonly lineItems: readonly LineItem[];
}

/**
 * Loads an order; its stream becomes part of the conflict check of a unit that appends to it, and with `guard` of every
 * unit. An order of another tenant does not exist for the caller.
 */
export async function loadOrder(orderId: Uuid, work: UnitOfWork, guard = false): Promise<Order> {
  let order: Order | undefined;
  const { tenantId } = work.context.scope;
  for await (const event of work.read(orderId, { guard }))
    if (event.scope?.tenantId === tenantId) order = orderAfter(order, event);
  if (order === undefined) {
    throw new Problem('order-not-found', {
      status: 404,
      title: 'There is no such order',
      detail: `Order ${orderId} does not exist.`,
    });
  }
  return order;
}

function orderAfter(order: Order | undefined, event: StoredEvent): Order | undefined {
  if (isEventOf(event, OrderCreated)) {
    const { total, lineItems } = event.payload;
    return { status: 'created', isPaid: false, total, lineItems };
  }
  const isPaid = order?.isPaid === true || event.messageType === 'OrderPaid';
  return order && { ...order, status: statusAfter(order.status, event), isPaid };
}

export async function mustNotBeIn(
  closed: readonly OrderStatus[],
  orderId: Uuid,
  work: UnitOfWork,
): Promise<Order> {
  const order = await loadOrder(orderId, work);
  if (closed.includes(order.status)) throw orderClosed(`Order ${orderId} is ${order.status}.`);
  return order;
}

export const orderClosed = (detail: string): Problem =>
  new Problem('order-closed', { status: 409, title: 'The order is closed', detail });
