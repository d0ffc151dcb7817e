import { ServiceBroker } from 'moleculer';
import gateway from 'moleculer-web';
import { createOrder, tellPort } from '../baselines/order.mjs';

const text = { type: 'string' };

const broker = new ServiceBroker({ logger: false });
broker.createService({
  name: 'orders',
  actions: {
    create: {
      params: {
        customerId: { type: 'uuid' },
        lineItems: {
          type: 'array',
          min: 1,
          items: {
            type: 'object',
            props: { productId: text, quantity: { type: 'number', integer: true, min: 1 }, unitPrice: text },
          },
        },
        shippingAddress: { type: 'object', props: { street: text, city: text, state: text, zipCode: text } },
      },
      handler: ({ params }) => createOrder(params),
    },
  },
});
const web = broker.createService({
  mixins: [gateway],
  settings: {
    port: 0,
    ip: '127.0.0.1',
    routes: [{ path: '/', aliases: { 'POST orders': 'orders.create' }, bodyParsers: { json: true } }],
  },
});
await broker.start();
tellPort(web.server.address().port);
