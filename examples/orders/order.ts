import { Problem, type UnitOfWork, type Uuid } from 'svc-runtime';

export type OrderStatus = 'created' | 'shipped' | 'cancelled' | 'archived';

/** The status after the last event. */
export const statusAfterEvent: Readonly<Record<string, OrderStatus>> = {
  OrderCreated: 'created',
  OrderShipped: 'shipped',
  OrderCancelled: 'cancelled',
  OrderArchived: 'archived',
};

/**
 * Loads the status of an order; its stream becomes part of the unit's conflict check. An order of another tenant does
 * not exist for the caller.
 */
export async function statusOf(orderId: Uuid, work: UnitOfWork): Promise<OrderStatus> {
  let status: OrderStatus | undefined;
  const { tenantId } = work.context.scope;
  for await (const { messageType, scope } of work.read(orderId))
    if (scope?.tenantId === tenantId) status = statusAfterEvent[messageType] ?? status;
  if (status === undefined) {
    throw new Problem('order-not-found', {
      status: 404,
      title: 'There is no such order',
      detail: `Order ${orderId} does not exist.`,
    });
  }
  return status;
}

export async function mustNotBeIn(
  closed: readonly OrderStatus[],
  orderId: Uuid,
  work: UnitOfWork,
): Promise<OrderStatus> {
  const status = await statusOf(orderId, work);
  if (!closed.includes(status)) return status;
  throw new Problem('order-closed', {
    status: 409,
    title: 'The order is closed',
    detail: `Order ${orderId} is ${status}.`,
  });
}
