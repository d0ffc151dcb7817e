import { type Decimal, isEventOf, Problem, type StoredEvent, type UnitOfWork, type Uuid } from 'svc-runtime';
import type { LineItem } from './create-order.js';
import { OrderCreated } from './events.js';

export type OrderStatus = 'created' | 'paid' | 'shipped' | 'cancelled' | 'archived';

const statusAfterEvent: Readonly<Record<string, OrderStatus>> = {
  OrderCreated: 'created',
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

const none: Order = { status: 'created', isPaid: false, total: '0', lineItems: [] };

/**
 * Loads an order; its stream becomes part of the conflict check of a unit that appends to it, and with `guard` of every
 * unit. An order of another tenant does not exist for the caller.
 */
export async function loadOrder(orderId: Uuid, work: UnitOfWork, guard = false): Promise<Order> {
  let order: Order | undefined;
  const { tenantId } = work.context.scope;
  for await (const event of work.read(orderId, { guard }))
    if (event.scope?.tenantId === tenantId) order = orderAfter(order ?? none, event);
  if (order === undefined) {
    throw new Problem('order-not-found', {
      status: 404,
      title: 'There is no such order',
      detail: `Order ${orderId} does not exist.`,
    });
  }
  return order;
}

function orderAfter(order: Order, event: StoredEvent): Order {
  const status = statusAfter(order.status, event);
  const isPaid = order.isPaid || event.messageType === 'OrderPaid';
  if (!isEventOf(event, OrderCreated)) return { ...order, status, isPaid };
  const { total, lineItems } = event.payload;
  return { status, isPaid, total, lineItems };
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
