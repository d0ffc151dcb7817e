import { isEventOf, Permission, type Perspective, type StoredEvent, type Uuid } from 'svc-runtime';
import { OrderPlaced } from '../shop/events.js';
import { ParcelShipped } from './events.js';

export interface Parcel {
  orderId: Uuid;
  product: string;
  quantity: number;
  status: 'to pack' | 'shipped';
}

/** The packing list: one row per order of the shop. */
export class ParcelsPerspective implements Perspective<Parcel> {
  readonly name = 'parcels';
  readonly route = '/parcels';
  readonly permission = Permission.read('parcels');
  readonly events = [OrderPlaced, ParcelShipped];
  /** Those of both services: the host subscribes to what other stores publish. */
  readonly origin = 'all';
  readonly late = 'apply';
  readonly columns = { status: 'text' } as const;

  /** Both services use the order's id as the id of their stream. */
  key({ streamId }: StoredEvent): string {
    return streamId;
  }

  initial(): Parcel {
    return { orderId: '', product: '', quantity: 0, status: 'to pack' };
  }

  /** Returns the same row in either order: the shop's event may arrive after our own. */
  apply(parcel: Parcel, event: StoredEvent): Parcel {
    const orderId = event.streamId;
    if (!isEventOf(event, OrderPlaced)) return { ...parcel, orderId, status: 'shipped' };
    const { product, quantity } = event.payload;
    return { ...parcel, orderId, product, quantity };
  }
}
