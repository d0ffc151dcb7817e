import { type Decimal, Event, type Uuid } from 'svc-runtime';
import type { Address, LineItem } from './create-order.js';

export class OrderCreated extends Event {
  orderId!: Uuid;
  customerId!: Uuid;
  lineItems!: LineItem[];
  shippingAddress!: Address;
  total!: Decimal;
  /** Only while the flag `gift-wrap` is on. */
  giftWrap?: boolean;
}

export class OrderCancelled extends Event {
  orderId!: Uuid;
  reason!: string;
}

export class OrderShipped extends Event {
  orderId!: Uuid;
  carrier!: string;
}

export class OrderArchived extends Event {
  orderId!: Uuid;
}
