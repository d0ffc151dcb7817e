import fastify from 'fastify';
import { runNaively } from './naive-lifecycle.mjs';
import { createOrder, orderSchema, resultSchema, tellPort } from './order.mjs';

const dispatch = async (command) => createOrder(command);

const app = fastify({ logger: false });
app.post('/orders', { schema: { body: orderSchema, response: { 200: resultSchema } } }, ({ body }) =>
  runNaively(body, dispatch),
);
await app.listen({ port: 0, host: '127.0.0.1' });
tellPort(app.server.address().port);
