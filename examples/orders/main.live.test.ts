import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig, startHost } from 'svc-runtime/ops';
import { withDatabase } from 'svc-runtime/testing';
import orders from './main.js';

const order = {
  customerId: '018F0000-0000-7000-8000-00000000000A',
  lineItems: [
    { productId: 'bread', quantity: 3, unitPrice: 1.1 },
    { productId: 'salt', quantity: 1, unitPrice: '0.205' },
  ],
  shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
};

type Answer = Readonly<Record<string, unknown>>;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

let folder = '';
let url = '';
let stop = (): void => undefined;
let running: Promise<void> | undefined;

/** One host for all tests: it takes longer to start than to handle an order. */
const run = (isReady: () => void): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    process.env['SVC_DATA_DIR'] = folder = await mkdtemp(join(tmpdir(), 'orders-'));
    const host = await startHost(orders, readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl }));
    url = host.url;
    isReady();
    await new Promise<void>((resolve) => (stop = resolve));
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

test.before(
  () =>
    new Promise<void>((resolve, reject) => {
      running = run(resolve);
      running.catch(reject);
    }),
);
test.after(() => {
  stop();
  return running;
});

/** Returns the status and the body or the problem's code. */
async function post(path: string, value: unknown): Promise<{ status: number; says: Answer }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify(value),
  });
  return { status: response.status, says: (await response.json()) as Answer };
}

const newOrder = async (): Promise<string> => String((await post('/orders', order)).says['orderId']);

const refusal = ({ status, says }: { status: number; says: Answer }): string =>
  `${status} ${String(says['type']).replace('urn:svc:problem:', '')}`;

test('the card provider runs with the host, before anything is charged', async () => {
  const file = join(folder, 'card-provider.port');
  let port = '';
  for (; port === ''; await pause()) port = await readFile(file, 'utf8').catch(() => '');
  const answer = await fetch(`http://127.0.0.1:${port}/alive`, { method: 'POST' });
  assert.deepEqual(await answer.json(), {});
});

test('an order is created with an exact total, sent as text', async () => {
  const { status, says } = await post('/orders', order);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(says), ['orderId', 'total', 'status']);
  assert.deepEqual([says['total'], says['status']], ['3.505', 'created']);
});

test('an order without lines, with half a loaf or a price in exponent form is refused, and all faults are listed', async () => {
  const none = await post('/orders', { ...order, lineItems: [] });
  assert.equal(refusal(none), '422 invalid-command');
  const lineItems = [
    { productId: 'bread', quantity: 0.5, unitPrice: '1e3' },
    { productId: 1, quantity: 0 },
  ];
  const { says } = await post('/orders', { ...order, lineItems, shippingAddress: null });
  assert.deepEqual((says['errors'] as readonly { path: string }[]).map(({ path }) => path).toSorted(), [
    '/lineItems/0/quantity',
    '/lineItems/0/unitPrice',
    '/lineItems/1/productId',
    '/lineItems/1/quantity',
    '/lineItems/1/unitPrice',
    '/shippingAddress',
  ]);
});

test('an order is cancelled once; after that it is closed', async () => {
  const orderId = await newOrder();
  assert.deepEqual((await post('/orders/cancel', { orderId, why: 'late' })).says, {
    orderId,
    status: 'cancelled',
  });
  assert.equal(refusal(await post('/orders/cancel', { orderId })), '409 order-closed');
  assert.equal(refusal(await post('/orders/ship', { orderId, carrier: 'pigeon' })), '409 order-closed');
});

test('a shipped order cannot be cancelled', async () => {
  const orderId = await newOrder();
  assert.deepEqual((await post('/orders/ship', { orderId, carrier: 'pigeon' })).says, {
    orderId,
    status: 'shipped',
  });
  assert.equal(refusal(await post('/orders/cancel', { orderId })), '409 order-closed');
});

test('when the carrier is down the parcel is queued, and can be shipped later', async () => {
  const orderId = await newOrder();
  assert.deepEqual((await post('/orders/ship', { orderId, carrier: 'down' })).says, {
    orderId,
    status: 'queued',
  });
  assert.deepEqual((await post('/orders/ship', { orderId, carrier: 'pigeon' })).says, {
    orderId,
    status: 'shipped',
  });
});

test('an order is paid once, and is then paid', async () => {
  const orderId = await newOrder();
  for (let n = 0; n < 2; n++)
    assert.deepEqual((await post('/orders/pay', { orderId })).says, { orderId, status: 'paid' });
});

test('an e-mail address belongs to one customer, however it is written', async () => {
  const { status, says } = await post('/customers', { email: 'ada@example.org', name: 'Ada' });
  assert.deepEqual([status, Object.keys(says)], [200, ['customerId']]);
  const again = await post('/customers', { email: 'Ada@Example.org', name: 'Another' });
  assert.equal(refusal(again), '409 already-reserved');
  assert.equal(again.says['detail'], 'Another owner has this email.');
  const invalid = await post('/customers', { email: 'ada', name: '' });
  assert.equal(refusal(invalid), '422 invalid-command');
});

test('an order that does not exist is not found', async () => {
  const orderId = order.customerId;
  assert.equal(refusal(await post('/orders/cancel', { orderId })), '404 order-not-found');
  assert.equal(refusal(await post('/orders/pay', { orderId })), '404 order-not-found');
  assert.equal(refusal(await post('/orders/ship', { orderId, carrier: 'pigeon' })), '404 order-not-found');
});

test('the card of a paid order is charged by another system, which refuses more than 10,000', async () => {
  const dear = { ...order, lineItems: [{ productId: 'boat', quantity: 1, unitPrice: '10000.01' }] };
  const statuses: unknown[] = [];
  for (const each of [order, dear]) {
    const { says } = await post('/orders', each);
    await post('/orders/pay', { orderId: says['orderId'] });
    let payment: Answer = {};
    while (payment['status'] !== 'charged' && payment['status'] !== 'refused') {
      await pause();
      payment = (await (await fetch(`${url}/payments/${String(says['orderId'])}`)).json()) as Answer;
    }
    statuses.push([payment['status'], payment['reason']]);
  }
  assert.deepEqual(statuses, [
    ['charged', null],
    ['refused', 'limit'],
  ]);
});
