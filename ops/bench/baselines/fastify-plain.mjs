import fastify from 'fastify';
import { createOrder, orderSchema, resultSchema, tellPort } from './order.mjs';

const app = fastify({ logger: false });
app.post('/orders', { schema: { body: orderSchema, response: { 200: resultSchema } } }, async ({ body }) =>
  createOrder(body),
);
await app.listen({ port: 0, host: '127.0.0.1' });
tellPort(app.server.address().port);
