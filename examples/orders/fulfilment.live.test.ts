import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig, startHost } from 'svc-runtime/ops';
import { withDatabase } from 'svc-runtime/testing';
import { Client } from './generated/client.js';
import orders from './main.js';

const order = (quantity: number) => ({
  customerId: '018f0000-0000-7000-8000-000000000001',
  lineItems: [{ productId: 'bread', quantity, unitPrice: '1.10' }],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
});

test('a client waits for the process that its command has started', () =>
  withDatabase(async (databaseUrl) => {
    const host = await startHost(orders, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
    const client = new Client({ baseUrl: host.url });
    try {
      const started = client.createOrder(order(1));
      const { orderId } = await started;
      const process = await started.process();
      assert.equal(process.key, orderId);
      const waiting = await process.until(process.key, ['awaitingPayment']);
      assert.deepEqual(
        [waiting.state, waiting.hasEnded, waiting.view],
        ['awaitingPayment', false, { reason: '' }],
      );
      const ended = client.fulfilments.until(orderId, ['paid', 'cancelled']);
      await client.payOrder({ orderId });
      assert.deepEqual([(await ended).state, (await ended).hasEnded], ['paid', true]);
      const tooMuch = client.createOrder(order(1_001));
      const { key } = await tooMuch.process();
      // What has ended is answered, whatever is waited for.
      const refused = await client.fulfilments.until(key, ['paid'], { within: 'PT1M' });
      assert.deepEqual([refused.state, refused.view.reason], ['cancelled', 'out-of-stock']);
      const again = await client.fulfilments.get(key);
      assert.deepEqual(again, refused);
    } finally {
      await host.stop();
    }
  }));

test('a client says that a process is still running, and that a command has started none', () =>
  withDatabase(async (databaseUrl) => {
    const host = await startHost(orders, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
    const client = new Client({ baseUrl: host.url });
    const codeOf = (failing: Promise<unknown>): Promise<unknown> =>
      failing.then(
        () => 'none',
        (error: unknown) => (error as { readonly code?: string }).code,
      );
    try {
      const { orderId } = await client.createOrder(order(1), { idempotencyKey: 'one' });
      await client.fulfilments.until(orderId, ['awaitingPayment']);
      const late = client.fulfilments.until(orderId, ['paid'], { within: 'PT0.1S' });
      assert.equal(await codeOf(late), 'still-running');
      const repeated = client.createOrder(order(1), { idempotencyKey: 'one' });
      assert.equal((await repeated).orderId, orderId);
      assert.equal(await codeOf(repeated.process()), 'no-process');
      assert.equal(await codeOf(client.fulfilments.until('nothing', [], { within: 'PT0S' })), 'not-found');
    } finally {
      await host.stop();
    }
  }));
