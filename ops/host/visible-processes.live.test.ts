import * as assert from 'uvu/assert';
import type { Authenticate } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { loadService } from '../service/load-service.js';
import { sharedHosts, withLiveHosts } from '../testing/live-hosts.js';
import { order } from '../testing/placed-orders.js';

const test = suite('processes that callers can see');

/** A bearer token is a tenant and permissions. */
const authenticate: Authenticate = ({ headers }) => {
  const [tenantId = '', ...permissions] = String(headers['authorization']).slice('Bearer '.length).split(' ');
  return { source: 'test', scope: { userId: 'ann', tenantId }, permissions };
};
const as = (tenant: string, ...permissions: readonly string[]) => ({
  authorization: ['Bearer', tenant, ...permissions].join(' '),
});
const north = as('north', 'orders:*');

const definition = { ...(await loadService(exampleHere('orders'))), authenticate };
const shared = sharedHosts({ definition, count: 2 });
test.before(() => shared.start());
test.after(() => shared.stop());

type Headers = Readonly<Record<string, string>>;

const create = (headers: Headers = north, host = 0): Promise<Answered> =>
  post(shared.hosts[host]?.url ?? '', order, { path: '/orders', headers });

const keyIn = ({ text }: Answered): string => (JSON.parse(text) as { readonly orderId: string }).orderId;

const get = (path: string, headers: Headers = north, host = 0): Promise<Answered> =>
  send(shared.hosts[host]?.url ?? '', { method: 'GET', path, headers });

const said = ({ status, text }: Answered): string =>
  `${status} ${String((JSON.parse(text) as { readonly state?: string }).state)}`;

const wait = (seconds: number) => ({ ...north, prefer: `wait=${seconds}` });

test('a command links to the process that it has started, and any host answers when it is in a state', async () => {
  const created = await create();
  const orderId = keyIn(created);
  assert.is(created.headers['link'], `</fulfilments/${orderId}>; rel="monitor"`);
  const path = `/fulfilments/${orderId}?until=paid,cancelled`;
  assert.is(
    said(await get(`/fulfilments/${orderId}?until=awaitingPayment`, wait(30), 1)),
    '200 awaitingPayment',
  );
  const over = await get(path, wait(1));
  assert.is(said(over), '202 awaitingPayment');
  assert.is(over.headers['preference-applied'], 'wait=1');
  assert.is(said(await get(path)), '202 awaitingPayment', 'it does not wait when it is not asked to');
  assert.is(said(await get(`/fulfilments/${orderId}`)), '200 awaitingPayment');
  const waiting = Promise.all([get(path, wait(30)), get(path, wait(30), 1)]);
  await post(shared.hosts[0]?.url ?? '', { orderId }, { path: '/orders/pay', headers: north });
  const [one, other] = await waiting;
  assert.equal([said(one), said(other)], ['200 paid', '200 paid']);
  assert.equal(Object.keys(JSON.parse(one.text) as object), [
    ...['key', 'state', 'hasEnded', 'isParked', 'since', 'view'],
  ]);
  assert.equal((JSON.parse(one.text) as { readonly view: unknown }).view, { reason: '' });
});

test('an answer without such an event, and one that is repeated, has no link', async () => {
  const headers = { ...north, 'idempotency-key': 'k' };
  const first = await create(headers);
  const orderId = keyIn(first);
  const repeated = await create(headers);
  const paid = await post(shared.hosts[0]?.url ?? '', { orderId }, { path: '/orders/pay', headers: north });
  assert.equal(
    [first, repeated, paid].map(({ headers: { link } }) => link !== undefined),
    [true, false, false],
  );
});

test('a caller sees the instances of the own tenant, with the permission of the process', async () => {
  const orderId = keyIn(await create());
  const path = `/fulfilments/${orderId}`;
  await get(path, wait(30));
  assert.is((await get(path)).status, 200);
  for (const headers of [as('south', 'orders:*'), { ...as('south', 'orders:*'), prefer: 'wait=1' }])
    assert.is(refusalIn(await get(path, headers)), '404 not-found');
  assert.is(refusalIn(await get(path, as('north', 'orders:write'))), '403 access-denied');
  assert.is(refusalIn(await get('/fulfilments/nothing')), '404 not-found');
  assert.is(refusalIn(await get('/fulfilments/a%00b')), '404 not-found');
});

test('an unknown state or parameter is refused, with the states that there are', async () => {
  const refused = await get('/fulfilments/a?until=paid,payed');
  assert.is(refusalIn(refused), '400 invalid-query');
  assert.match(refused.text, /\\"payed\\" is not a state of order-fulfilment: reserving, awaitingPayment/);
  assert.is(refusalIn(await get('/fulfilments/a?states=paid')), '400 invalid-query');
  assert.is(refusalIn(await get('/fulfilments/a', wait(61))), '400 invalid-header');
});

test('GraphQL reads the same instance with the same permission', async () => {
  const orderId = keyIn(await create());
  const query = `{ fulfilment(key: "${orderId}") { key state hasEnded view { reason } } }`;
  const ask = (headers: Headers) =>
    post(shared.hosts[0]?.url ?? '', { query }, { path: '/graphql', headers });
  await get(`/fulfilments/${orderId}?until=awaitingPayment`, wait(30));
  const { data } = JSON.parse((await ask(north)).text) as { readonly data: unknown };
  assert.equal(data, {
    fulfilment: { key: orderId, state: 'awaitingPayment', hasEnded: false, view: { reason: '' } },
  });
  assert.match((await ask(as('south', 'orders:*'))).text, /"fulfilment":null/);
  assert.match((await ask(as('north', 'orders:write'))).text, /access-denied/);
});

test('a host that stops answers those who wait', () =>
  withLiveHosts({ definition }, async ([host]) => {
    const url = host?.url ?? '';
    const { text } = await post(url, order, { path: '/orders', headers: north });
    const { orderId } = JSON.parse(text) as { readonly orderId: string };
    const ask = (state: string, headers: Headers): Promise<Answered> =>
      send(url, { method: 'GET', path: `/fulfilments/${orderId}?until=${state}`, headers });
    await ask('awaitingPayment', wait(30));
    const waiting = Promise.all(Array.from({ length: 20 }, () => ask('paid', wait(60))));
    // What is asked later is answered later.
    assert.is(said(await ask('paid', wait(1))), '202 awaitingPayment');
    await host?.stop();
    assert.equal(new Set((await waiting).map(said)), new Set(['202 awaitingPayment']));
  }));
