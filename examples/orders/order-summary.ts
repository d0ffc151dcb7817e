import {
  type Decimal,
  isEventOf,
  Permission,
  type Perspective,
  type StoredEvent,
  type Timestamp,
  type Uuid,
} from 'svc-runtime';
import { OrderArchived, OrderCancelled, OrderCreated, OrderPaid, OrderShipped } from './events.js';
import { type OrderStatus, statusAfter } from './order.js';

export interface OrderSummary {
  orderId: Uuid;
  customerId: Uuid;
  status: OrderStatus;
  total: Decimal;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** One row per order, with its present status. */
export class OrderSummaryPerspective implements Perspective<OrderSummary> {
  readonly name = 'order-summary';
  readonly route = '/orders';
  readonly permission = Permission.read('orders');
  readonly agent = true;
  readonly events = [OrderCreated, OrderPaid, OrderCancelled, OrderShipped, OrderArchived];
  readonly columns = { status: 'text', customerId: 'uuid', total: 'numeric' } as const;

  apply(order: OrderSummary | undefined, event: StoredEvent): OrderSummary | null {
    const { streamId: orderId, occurredAt: updatedAt } = event;
    if (isEventOf(event, OrderCreated)) {
      const { customerId, total } = event.payload;
      return { orderId, customerId, status: 'created', total, createdAt: updatedAt, updatedAt };
    }
    return order ? { ...order, status: statusAfter(order.status, event), updatedAt } : null;
  }
}
