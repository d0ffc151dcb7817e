import { type Decimal, Event, type Int, Sensitive, type Uuid } from 'svc-runtime';
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

export class OrderPaid extends Event {
  orderId!: Uuid;
  total!: Decimal;
}

/** The provider has charged the card of a paid order. */
export class CardCharged extends Event {
  orderId!: Uuid;
  chargeId!: string;
}

export class CardRefused extends Event {
  orderId!: Uuid;
  reason!: string;
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

export class StockReserved extends Event {
  orderId!: Uuid;
}

export class StockReleased extends Event {
  orderId!: Uuid;
}

export class SaleBooked extends Event {
  orderId!: Uuid;
  amount!: Decimal;
}

/** What was sold since the books were closed last. */
export class BooksClosed extends Event {
  day!: string;
  sales!: Int;
  takings!: Decimal;
}

export class CustomerRegistered extends Event {
  customerId!: Uuid;
  @Sensitive()
  email!: string;
  @Sensitive()
  name!: string;
}
