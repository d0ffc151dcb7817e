import { Event, type Uuid } from 'svc-runtime';

export class ParcelShipped extends Event {
  orderId!: Uuid;
  carrier!: string;
}
