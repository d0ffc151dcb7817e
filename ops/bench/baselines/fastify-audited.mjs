import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { createOrder, orderSchema, resultSchema, tellPort } from './order.mjs';

/** A plain route before the store of the module it is given: the least that HTTP costs before an append. */
const [module, url] = process.argv.slice(2);
const { openLog } = await import(module);
const log = await openLog(url);
const app = fastify({ logger: false });
app.post('/orders', { schema: { body: orderSchema, response: { 200: resultSchema } } }, async ({ body }) => {
  await log.append(randomUUID(), { type: 'OrderCreated', data: body, metadata: {} }, 0);
  return createOrder(body);
});
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => log.close())
    .then(() => process.exit(0));
});
await app.listen({ port: 0, host: '127.0.0.1' });
tellPort(app.server.address().port);
