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
  readonly columns = { status: 'text' } as const;

  /** Both services use the order's id as the id of their stream. */
  key({ streamId }: StoredEvent): string {
    return streamId;
  }

  apply(order: Order | undefined, event: StoredEvent): Order | null {
    if (isEventOf(event, OrderPlaced)) {
      const { orderId, product, quantity } = event.payload;
      return { orderId, product, quantity, status: 'placed' };
    }
    // A parcel of an order that was never placed here makes no row.
    if (order === undefined || !isEventOf(event, ParcelShipped)) return order ?? null;
    return { ...order, status: 'shipped', carrier: event.payload.carrier };
  }
}
