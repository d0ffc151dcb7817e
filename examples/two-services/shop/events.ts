import { Event, type Int, type Uuid } from 'svc-runtime';

export class OrderPlaced extends Event {
  orderId!: Uuid;
  product!: string;
  quantity!: Int;
}
