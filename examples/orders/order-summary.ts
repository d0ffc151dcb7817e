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
  readonly events = [OrderCreated, OrderPaid, OrderCancelled, OrderShipped, OrderArchived];
  readonly columns = {
    status: { type: 'text', of: ({ status }: OrderSummary) => status },
    customerId: { type: 'uuid', of: ({ customerId }: OrderSummary) => customerId },
    total: { type: 'numeric', of: ({ total }: OrderSummary) => total },
  } as const;

  initial(): OrderSummary {
    return { orderId: '', customerId: '', status: 'created', total: '0', createdAt: '', updatedAt: '' };
  }

  apply(order: OrderSummary, event: StoredEvent): OrderSummary {
    const { streamId, occurredAt } = event;
    const status = statusAfter(order.status, event);
    if (!isEventOf(event, OrderCreated)) return { ...order, status, updatedAt: occurredAt };
    const { customerId, total } = event.payload;
    return { orderId: streamId, customerId, status, total, createdAt: occurredAt, updatedAt: occurredAt };
  }
}
