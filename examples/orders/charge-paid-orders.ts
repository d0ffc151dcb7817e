import type { Reaction, StoredEvent } from 'svc-runtime';
import { ChargeCard } from './charge-card.js';
import { OrderPaid } from './events.js';

export class ChargePaidOrders implements Reaction<OrderPaid> {
  readonly name = 'charge-paid-orders';
  readonly events = [OrderPaid];

  react({ payload: { orderId, total } }: StoredEvent<OrderPaid>): ChargeCard {
    return ChargeCard.of({ orderId, amount: total });
  }
}
