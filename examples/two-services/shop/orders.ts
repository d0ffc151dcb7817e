import { isEventOf, Permission, type Perspective, type StoredEvent, type Uuid } from 'svc-runtime';
import { ParcelShipped } from '../warehouse/events.js';
import { OrderPlaced } from './events.js';

export interface Order {
  orderId: Uuid;
  product: string;
  quantity: number;
  status: 'placed' | 'shipped';
  carrier?: string;
}

/** One row per order: placed here, shipped by the warehouse. */
export class OrdersPerspective implements Perspective<Order> {
  readonly name = 'orders';
  readonly route = '/orders';
  readonly permission = Permission.read('orders');
  readonly events = [OrderPlaced, ParcelShipped];
  /** Those of both services: the host subscribes to what other stores publish. */
  readonly origin = 'all';
  readonly late = 'apply';
  readonly columns = { status: { type: 'text', of: ({ status }: Order) => status } } as const;

  /** Both services use the order's id as the id of their stream. */
  key({ streamId }: StoredEvent): string {
    return streamId;
  }

  initial(): Order {
    return { orderId: '', product: '', quantity: 0, status: 'placed' };
  }

  apply(order: Order, event: StoredEvent): Order | null {
    if (isEventOf(event, OrderPlaced)) {
      const { orderId, product, quantity } = event.payload;
      return { ...order, orderId, product, quantity };
    }
    if (!isEventOf(event, ParcelShipped)) return order;
    // Ignore a parcel of an order that was never placed here.
    return order.orderId === '' ? null : { ...order, status: 'shipped', carrier: event.payload.carrier };
  }
}
