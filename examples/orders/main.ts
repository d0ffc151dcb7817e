import type { ServiceDefinition } from 'svc-runtime';
import { keepCardProvider } from './card-provider.js';
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
  /** The provider runs while a host does. */
  configure: (service) =>
    void service.with(
      ({ stops }) => void stops.push(keepCardProvider(process.env['SVC_DATA_DIR'] ?? '.svc')),
    ),
  smokeTest: { create: { command: CreateOrder, body: anOrder }, read: '/orders/{orderId}' },
};

export default orders;
