import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { loadService } from '../service/load-service.js';
import { sharedHosts } from '../testing/live-hosts.js';

const test = suite('the fulfilment of orders');

const definition = await loadService(fileURLToPath(new URL('../../examples/orders', import.meta.url)));
const shared = sharedHosts({ definition, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

const send = async (path: string, body: object, host = 0) => {
  const { status, text } = await post(shared.hosts[host]?.url ?? '', body, { path });
  return { status, says: JSON.parse(text) as Readonly<Record<string, string>> };
};

const newOrder = async (quantity = 1): Promise<string> => {
  const { says } = await send('/orders', {
    customerId: '018f0000-0000-7000-8000-00000000000a',
    lineItems: [{ productId: 'bread', quantity, unitPrice: '1.10' }],
    shippingAddress: { street: 'High Street 1', city: 'York', state: 'YO', zipCode: 'YO1' },
  });
  return says['orderId'] ?? '';
};

const rows = (text: string) => rowsOf(shared.databaseUrl, text);

const stateOf = async (orderId: string): Promise<string | undefined> =>
  (
    await rows(`SELECT state FROM svc_processes WHERE name = 'order-fulfilment' AND key = '${orderId}'`)
  )[0]?.[0];

const isIn = (orderId: string, state: string): Promise<number> =>
  until(async () => (await stateOf(orderId)) === state);

/** What happened to an order and its stock, oldest first; a cancellation with its reason. */
const storyOf = async (orderId: string): Promise<string> =>
  (
    await rows(`SELECT concat_ws(' ', event_type, data ->> 'reason') FROM svc_event_stream
      WHERE data ->> 'orderId' = '${orderId}' ORDER BY global_position`)
  ).join(', ');

const letTimeOut = (which: string) =>
  rows(`UPDATE svc_timers SET due_at = due_at - interval '15 minutes' WHERE ${which}`);

test('the stream of an order holds its own events; what the service does is audited with its cause', async () => {
  const orderId = await newOrder();
  await isIn(orderId, 'awaitingPayment');
  assert.is(await storyOf(orderId), 'OrderCreated, StockReserved');
  const own = `SELECT event_type FROM svc_event_stream WHERE stream_id = '${orderId}'`;
  assert.equal(await rows(own), [['OrderCreated']]);
  const audits = await rows(`SELECT data ->> 'commandType' FROM svc_system_stream
    WHERE event_type = 'CommandAudited' AND data ->> 'correlationId' IN
      (SELECT correlation_id FROM svc_event_stream WHERE stream_id = '${orderId}') ORDER BY stream_position`);
  assert.equal(audits, [['CreateOrder'], ['ReserveStock']]);
});

test('an order for more than there is in stock is cancelled', async () => {
  const orderId = await newOrder(1_001);
  await isIn(orderId, 'cancelled');
  assert.is(await storyOf(orderId), 'OrderCreated, OrderCancelled out-of-stock');
});

test('an order that is paid, however soon, keeps its stock', async () => {
  for (const isSoon of [true, false]) {
    const orderId = await newOrder();
    if (!isSoon) await isIn(orderId, 'awaitingPayment');
    assert.equal(await send('/orders/pay', { orderId }, 1), {
      status: 200,
      says: { orderId, status: 'paid' },
    });
    await isIn(orderId, 'paid');
    assert.equal(await rows(`SELECT id FROM svc_timers WHERE key = '${orderId}' AND kind = 'process'`), []);
    await until(async () => /SaleBooked.*CardCharged|CardCharged.*SaleBooked/.test(await storyOf(orderId)));
    assert.equal((await storyOf(orderId)).split(', ').toSorted(), [
      'CardCharged',
      'OrderCreated',
      'OrderPaid',
      'SaleBooked',
      'StockReserved',
    ]);
  }
});

test('an order that is not paid in time gives its stock back and is cancelled', async () => {
  const orderId = await newOrder();
  await isIn(orderId, 'awaitingPayment');
  await letTimeOut(`key = '${orderId}'`);
  await isIn(orderId, 'cancelled');
  assert.is(await storyOf(orderId), 'OrderCreated, StockReserved, StockReleased, OrderCancelled unpaid');
  assert.is((await send('/orders/pay', { orderId })).status, 409);
});

test('an order that the customer cancels gives its stock back', async () => {
  const orderId = await newOrder();
  assert.is((await send('/orders/cancel', { orderId, why: 'late' })).status, 200);
  await isIn(orderId, 'cancelled');
  const story = (await storyOf(orderId)).split(', ');
  assert.equal(story.toSorted(), ['OrderCancelled late', 'OrderCreated', 'StockReleased', 'StockReserved']);
});

test('an order is shipped and archived without a payment', async () => {
  const orderId = await newOrder();
  assert.is((await send('/orders/ship', { orderId, carrier: 'pigeon' })).status, 200);
  await isIn(orderId, 'paid');
  assert.is((await send('/orders/cancel', { orderId })).status, 409);
  assert.is((await send('/orders/pay', { orderId })).status, 200);
});

test('of a payment and the end of the time for it at the same moment, one wins', async () => {
  const orders = await Promise.all(Array.from({ length: 40 }, () => newOrder()));
  const among = `key IN (${orders.map((orderId) => `'${orderId}'`).join()})`;
  const areIn = (states: string) =>
    until(async () => {
      const count = `SELECT count(*) FROM svc_processes WHERE ${among} AND state IN (${states})`;
      return (await rows(count))[0]?.[0] === '40';
    });
  await areIn("'awaitingPayment'");
  await letTimeOut(among);
  const answers = await Promise.all(orders.map((orderId, n) => send('/orders/pay', { orderId }, n % 2)));
  await areIn("'paid', 'cancelled'");
  for (const [n, orderId] of orders.entries()) {
    const end = answers[n]?.status === 200 ? 'OrderPaid' : 'StockReleased, OrderCancelled unpaid';
    const story = (await storyOf(orderId)).replace(', SaleBooked', '').replace(', CardCharged', '');
    assert.is(story, `OrderCreated, StockReserved, ${end}`);
  }
});

test('the nightly close waits for its time', async () => {
  const schedules = "SELECT name, data ->> 'timeZone' FROM svc_timers WHERE kind = 'schedule'";
  assert.equal(await rows(schedules), [['nightly-close', 'Europe/London']]);
});

test('the name and address of a customer are in no audit and no reservation', async () => {
  const customers = [0, 1].map((host) =>
    send('/customers', { email: 'ada@example.org', name: 'Ada L' }, host),
  );
  const statuses = (await Promise.all(customers)).map(({ status }) => status);
  assert.equal(
    statuses.toSorted((one, other) => one - other),
    [200, 409],
  );
  const registered = "event_type = 'CustomerRegistered' AND data ->> 'email' = 'ada@example.org'";
  assert.is((await rows(`SELECT 1 FROM svc_event_stream WHERE ${registered}`)).length, 1);
  for (const table of ['svc_system_stream', 'svc_reservations'])
    assert.equal(await rows(`SELECT * FROM ${table} AS r WHERE r::text ~* 'ada@|ada l'`), [], table);
});

test('nothing is parked', async () => {
  assert.equal(await rows('SELECT follower, key, error FROM svc_stuck_work'), []);
  assert.equal(await rows("SELECT key, error FROM svc_processes WHERE status = 'parked'"), []);
});
