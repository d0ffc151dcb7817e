import type { ServiceDefinition } from 'svc-runtime';
import { CreateOrder } from './create-order.js';
import { create } from './generated/registry.js';

const anOrder = {
  customerId: '018f0000-0000-7000-8000-000000000001',
  lineItems: [{ productId: 'smoke-test', quantity: 1, unitPrice: '0.01' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

const orders: ServiceDefinition = {
  name: 'orders',
  create: (dispatcher) => create(dispatcher),
  smokeTest: { create: { command: CreateOrder, body: anOrder }, read: '/orders/{orderId}' },
};

export default orders;
