import assert from 'node:assert/strict';
import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { PlaceOrder, PlaceOrderReceptor } from './shop/place-order.js';
import { ParcelShipped } from './warehouse/events.js';
import { ShipParcel, ShipParcelReceptor } from './warehouse/ship-parcel.js';

const orderId = '018f0000-0000-7000-8000-000000000001';
const shipped = ParcelShipped.of({ orderId, carrier: 'pigeon' });
const ship = ShipParcel.of({ orderId, carrier: 'pigeon' });

test('an order is placed in its own stream', async () => {
  const placing = given(new PlaceOrderReceptor()).when(PlaceOrder.of({ product: 'tea', quantity: 2 }));
  const { result, events } = await placing.outcome();
  assert.deepEqual(
    events.map(({ streamId, payload }) => [streamId, payload]),
    [[result.orderId, { orderId: result.orderId, product: 'tea', quantity: 2 }]],
  );
});

test('a parcel is shipped by a carrier', () =>
  given(new ShipParcelReceptor()).when(ship).then([orderId, shipped]));

test('a parcel is shipped once', () =>
  given(new ShipParcelReceptor(), [orderId, shipped]).when(ship).thenRefuses('parcel-shipped'));
