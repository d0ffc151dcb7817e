import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { CancelOrder } from './cancel-order.js';
import {
  OrderCancelled,
  OrderCreated,
  OrderPaid,
  OrderShipped,
  StockReleased,
  StockReserved,
} from './events.js';
import { OrderFulfilment } from './order-fulfilment.js';
import { ReleaseStock, ReserveStock } from './stock.js';

const orderId = '018f0000-0000-7000-8000-000000000001';
const created = OrderCreated.of({
  orderId,
  customerId: '018f0000-0000-7000-8000-000000000002',
  lineItems: [{ productId: 'bread', quantity: 3, unitPrice: '1.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
  total: '3.30',
});
const reserved = StockReserved.of({ orderId });
const paid = OrderPaid.of({ orderId, total: '3.30' });
const released = StockReleased.of({ orderId });
const cancelled = (reason: string) => OrderCancelled.of({ orderId, reason });

test('the stock of a new order is reserved, then it waits for the payment', async () => {
  await given(new OrderFulfilment())
    .when(created)
    .thenSends(ReserveStock.of({ orderId }))
    .thenIn('reserving')
    .when(reserved)
    .after('PT14M')
    .thenSends()
    .thenIn('awaitingPayment')
    .when(paid)
    .thenIn('paid')
    .after('P1D')
    .thenSends();
});

test('an order that is not paid within 15 minutes gives its stock back and is cancelled', async () => {
  await given(new OrderFulfilment())
    .when(created, reserved)
    .after('PT15M')
    .thenSends(ReleaseStock.of({ orderId }))
    .thenIn('releasing')
    .when(released)
    .thenSends(CancelOrder.of({ orderId, reason: 'unpaid' }))
    .when(cancelled('unpaid'))
    .thenIn('cancelled');
});

test('an order for more than there is in stock is cancelled in the same commit', async () => {
  await given(new OrderFulfilment())
    .refusing(ReserveStock, 'out-of-stock')
    .when(created)
    .thenSends(CancelOrder.of({ orderId, reason: 'out-of-stock' }))
    .when(cancelled('out-of-stock'))
    .thenIn('cancelled');
});

for (const [state, before] of Object.entries({
  reserving: [created],
  awaitingPayment: [created, reserved],
})) {
  test(`an order that the customer cancels in ${state} gives its stock back`, async () => {
    await given(new OrderFulfilment())
      .refusing(CancelOrder, 'order-closed')
      .when(...before)
      .thenIn(state)
      .when(cancelled('changed my mind'))
      .thenSends(ReleaseStock.of({ orderId }))
      .when(released)
      .thenSends()
      .thenIn('cancelled');
  });

  test(`an order that is paid, or shipped on account, in ${state} keeps its stock`, async () => {
    for (const end of [paid, OrderShipped.of({ orderId, carrier: 'pigeon' })])
      await given(new OrderFulfilment())
        .when(...before, end)
        .thenIn('paid')
        .after('PT15M')
        .thenSends();
  });
}

test('an order that is paid at the last moment is not cancelled', async () => {
  await given(new OrderFulfilment())
    .refusing(ReleaseStock, 'stock-sold')
    .when(created, reserved)
    .after('PT15M')
    .thenSends()
    .thenIn('paid');
});
