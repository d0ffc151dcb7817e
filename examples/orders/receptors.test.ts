import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { ArchiveOrder } from './archive-order.js';
import { CancelOrder } from './cancel-order.js';
import { CreateOrder } from './create-order.js';
import {
  OrderArchived,
  OrderCancelled,
  OrderCreated,
  OrderPaid,
  OrderShipped,
  StockReleased,
  StockReserved,
} from './events.js';
import { PayOrder } from './pay-order.js';
import {
  ArchiveOrderReceptor,
  CancelOrderReceptor,
  CarrierDown,
  CreateOrderReceptor,
  PayOrderReceptor,
  ShipOrderReceptor,
} from './receptors.js';
import { ShipOrder } from './ship-order.js';
import { ReleaseStock, ReleaseStockReceptor, ReserveStock, ReserveStockReceptor } from './stock.js';

const orderId = '018f0000-0000-7000-8000-000000000001';
const what = {
  customerId: '018f0000-0000-7000-8000-000000000002',
  lineItems: [
    { productId: 'bread', quantity: 3, unitPrice: '1.10' },
    { productId: 'salt', quantity: 1, unitPrice: '0.205' },
  ],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

const created = [orderId, OrderCreated.of({ orderId, ...what, total: '3.505' })] as const;
const reason = 'changed my mind';
const cancelled = OrderCancelled.of({ orderId, reason });
const paid = OrderPaid.of({ orderId, total: '3.505' });
const shipped = OrderShipped.of({ orderId, carrier: 'pigeon' });
const archived = OrderArchived.of({ orderId });

const cancel = CancelOrder.of({ orderId, reason });
const pay = PayOrder.of({ orderId });
const ship = ShipOrder.of({ orderId, carrier: 'pigeon' });
const archive = ArchiveOrder.of({ orderId });

test('an order is created in its own stream, with its exact total', async () => {
  const { result, events } = await given(new CreateOrderReceptor()).when(CreateOrder.of(what)).outcome();
  assert.equal(result.total, '3.505');
  assert.equal(result.status, 'created');
  assert.deepEqual(
    events.map(({ messageType, streamId }) => [messageType, streamId]),
    [['OrderCreated', result.orderId]],
  );
  assert.deepEqual(events[0]?.payload, { orderId: result.orderId, ...what, total: '3.505' });
});

test('an order is wrapped as a gift only while the flag is on', async () => {
  for (const isOn of [true, false]) {
    const create = given(new CreateOrderReceptor()).withFlags({ 'gift-wrap': isOn });
    const { result, events } = await create.when(CreateOrder.of(what)).outcome();
    const order = { orderId: result.orderId, ...what, total: '3.505' };
    assert.deepEqual(events[0]?.payload, isOn ? { ...order, giftWrap: true } : order);
  }
});

test('an open order can be cancelled', () =>
  given(new CancelOrderReceptor(), created).when(cancel).then([orderId, cancelled]));

test('an open order can be paid, once', async () => {
  await given(new PayOrderReceptor(), created).when(pay).then([orderId, paid]);
  const again = given(new PayOrderReceptor(), [...created, paid]).when(pay);
  await again.thenReturns({ orderId, status: 'paid' });
  await again.thenNothing();
});

test('an order that is shipped on account can be paid and stays shipped', async () => {
  const sent = [...created, shipped] as const;
  await given(new PayOrderReceptor(), sent).when(pay).then([orderId, paid]);
  await given(new CancelOrderReceptor(), [...sent, paid])
    .when(cancel)
    .thenRefuses('order-closed');
});

test('an open order can be shipped', () =>
  given(new ShipOrderReceptor(), created).when(ship).then([orderId, shipped]));

test('an open order can be archived', () =>
  given(new ArchiveOrderReceptor(), created).when(archive).then([orderId, archived]));

test('shipping a shipped order changes nothing and returns shipped', async () => {
  const again = given(new ShipOrderReceptor(), [...created, shipped]).when(ship);
  await again.thenReturns({ orderId, status: 'shipped' });
  assert.deepEqual((await again.outcome()).events, []);
});

test('a shipped order can be archived', () =>
  given(new ArchiveOrderReceptor(), [...created, shipped])
    .when(archive)
    .then([orderId, archived]));

test('no command finds an order that was never created', async () => {
  await given(new CancelOrderReceptor()).when(cancel).thenRefuses('order-not-found');
  await given(new PayOrderReceptor()).when(pay).thenRefuses('order-not-found');
  await given(new ShipOrderReceptor()).when(ship).thenRefuses('order-not-found');
  await given(new ArchiveOrderReceptor()).when(archive).thenRefuses('order-not-found');
});

for (const [name, end] of Object.entries({ cancelled, archived })) {
  test(`an order that is ${name} accepts no command`, async () => {
    const closed = [...created, end] as const;
    await given(new CancelOrderReceptor(), closed).when(cancel).thenRefuses('order-closed');
    await given(new PayOrderReceptor(), closed).when(pay).thenRefuses('order-closed');
    await given(new ShipOrderReceptor(), closed).when(ship).thenRefuses('order-closed');
    await given(new ArchiveOrderReceptor(), closed).when(archive).thenRefuses('order-closed');
  });
}

test('a shipped order can no longer be cancelled', () =>
  given(new CancelOrderReceptor(), [...created, shipped])
    .when(cancel)
    .thenRefuses('order-closed'));

test('a carrier that is down throws its own error, and nothing is shipped', async () => {
  const down = given(new ShipOrderReceptor(), created).when(ShipOrder.of({ orderId, carrier: 'down' }));
  const error: unknown = await down.outcome().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof CarrierDown);
});

const reserve = given(new ReserveStockReceptor(), created).when(ReserveStock.of({ orderId }));
const release = ReleaseStock.of({ orderId });

test('the stock of an order is reserved and released in a stream of its own', async () => {
  const { events } = await reserve.outcome();
  const [stockId = ''] = events.map(({ streamId }) => streamId);
  assert.notEqual(stockId, orderId);
  await reserve.then([stockId, StockReserved.of({ orderId })]);
  const released = [stockId, StockReleased.of({ orderId })] as const;
  await given(new ReleaseStockReceptor(), created).when(release).then(released);
  await given(new PayOrderReceptor(), created, released).when(pay).thenRefuses('order-closed');
});

test('there are 1,000 of everything in stock', async () => {
  for (const quantity of [1_000, 1_001]) {
    const lineItems = [{ productId: 'bread', quantity, unitPrice: '1.10' }];
    const large = [orderId, OrderCreated.of({ orderId, ...what, lineItems, total: '0' })] as const;
    const reserving = given(new ReserveStockReceptor(), large).when(ReserveStock.of({ orderId }));
    if (quantity > 1_000) await reserving.thenRefuses('out-of-stock');
    else await reserving.then(StockReserved.of({ orderId }));
  }
});

test('the stock of an order that is paid or shipped cannot be released', async () => {
  for (const sold of [paid, shipped])
    await given(new ReleaseStockReceptor(), [...created, sold])
      .when(release)
      .thenRefuses('stock-sold');
});
