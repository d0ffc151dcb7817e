import { Decimals, newUuid, type Receptor, type UnitOfWork } from 'svc-runtime';
import type { ArchiveOrder, ArchiveOrderResult } from './archive-order.js';
import type { CancelOrder, CancelOrderResult } from './cancel-order.js';
import type { CreateOrder, CreateOrderResult } from './create-order.js';
import { OrderArchived, OrderCancelled, OrderCreated, OrderPaid, OrderShipped } from './events.js';
import { mustNotBeIn, orderClosed } from './order.js';
import type { PayOrder, PayOrderResult } from './pay-order.js';
import type { ShipOrder, ShipOrderResult } from './ship-order.js';
import { isStockReleased } from './stock.js';

export class CreateOrderReceptor implements Receptor<CreateOrder, CreateOrderResult> {
  handle(command: CreateOrder, work: UnitOfWork): CreateOrderResult {
    const orderId = newUuid();
    const { customerId, lineItems, shippingAddress } = command;
    const prices = lineItems.map(({ unitPrice, quantity }) => Decimals.multiply(unitPrice, quantity));
    const total = Decimals.sum(prices);
    const created = OrderCreated.of({
      orderId,
      customerId,
      lineItems,
      shippingAddress,
      total,
      ...(work.flags.isOn('gift-wrap') && { giftWrap: true }),
    });
    work.append(orderId, created, { expectedPosition: 0 });
    return { orderId, total, status: 'created' };
  }
}

export class PayOrderReceptor implements Receptor<PayOrder, PayOrderResult> {
  // The stock may be reserved at the same moment.
  readonly retryOnConflict = 3;

  async handle({ orderId }: PayOrder, work: UnitOfWork): Promise<PayOrderResult> {
    const { isPaid, total } = await mustNotBeIn(['cancelled', 'archived'], orderId, work);
    if (isPaid) return { orderId, status: 'paid' };
    if (await isStockReleased(orderId, work)) throw orderClosed(`Order ${orderId} was not paid in time.`);
    work.append(orderId, OrderPaid.of({ orderId, total }));
    return { orderId, status: 'paid' };
  }
}

export class CancelOrderReceptor implements Receptor<CancelOrder, CancelOrderResult> {
  // A card may be charged at the same moment.
  readonly retryOnConflict = 3;

  async handle({ orderId, reason }: CancelOrder, work: UnitOfWork): Promise<CancelOrderResult> {
    await mustNotBeIn(['cancelled', 'archived', 'shipped'], orderId, work);
    work.append(orderId, OrderCancelled.of({ orderId, reason }));
    return { orderId, status: 'cancelled' };
  }
}

/** The carrier cannot be reached; the endpoint's error hook handles it. */
export class CarrierDown extends Error {}

export class ShipOrderReceptor implements Receptor<ShipOrder, ShipOrderResult> {
  readonly retryOnConflict = 3;

  async handle({ orderId, carrier }: ShipOrder, work: UnitOfWork): Promise<ShipOrderResult> {
    const { status } = await mustNotBeIn(['cancelled', 'archived'], orderId, work);
    if (carrier === 'down') throw new CarrierDown(`Carrier ${carrier} does not answer`);
    if (status !== 'shipped') work.append(orderId, OrderShipped.of({ orderId, carrier }));
    return { orderId, status: 'shipped' };
  }
}

export class ArchiveOrderReceptor implements Receptor<ArchiveOrder, ArchiveOrderResult> {
  readonly retryOnConflict = 3;

  async handle({ orderId }: ArchiveOrder, work: UnitOfWork): Promise<ArchiveOrderResult> {
    await mustNotBeIn(['cancelled', 'archived'], orderId, work);
    work.append(orderId, OrderArchived.of({ orderId }));
    return { orderId, status: 'archived' };
  }
}
