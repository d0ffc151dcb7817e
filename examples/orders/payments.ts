import { isEventOf, Permission, type Perspective, type StoredEvent, type Uuid } from 'svc-runtime';
import { CardCharged, CardRefused, OrderPaid } from './events.js';

export interface Payment {
  orderId: Uuid;
  status: 'pending' | 'charged' | 'refused';
  chargeId: string | null;
  /** Why the card was refused. */
  reason: string | null;
}

/** What became of the card of each paid order. */
export class PaymentPerspective implements Perspective<Payment> {
  readonly name = 'payments';
  readonly route = '/payments';
  readonly permission = Permission.read('orders');
  readonly events = [OrderPaid, CardCharged, CardRefused];
  readonly columns = { status: 'text' } as const;

  apply(_: Payment | undefined, event: StoredEvent): Payment {
    const { streamId: orderId } = event;
    if (isEventOf(event, CardCharged))
      return { orderId, status: 'charged', chargeId: event.payload.chargeId, reason: null };
    if (isEventOf(event, CardRefused))
      return { orderId, status: 'refused', chargeId: null, reason: event.payload.reason };
    return { orderId, status: 'pending', chargeId: null, reason: null };
  }
}
