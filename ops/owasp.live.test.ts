import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import type { Authenticate } from '../contracts/identity.js';
import { Problem } from '../contracts/problems.js';
import { suite } from '../contracts/testing/suite.js';
import { jsonOf, post, refusalIn, send } from '../endpoints/testing/http-client.js';
import { withStore } from '../runtime/testing/migrated-database.js';
import { exampleHere } from '../runtime/testing/process-root.js';
import { readConfig } from './config/config.js';
import { repository } from './docs/reference-pages.js';
import { startHost } from './host/host.js';
import { loadService } from './service/load-service.js';
import { anOrder, orderIdIn } from './testing/order-load.js';
import { sharedIn } from '../runtime/testing/shared-in.js';

// The rows of the OWASP API Security Top 10 (2023), in order; SECURITY.md lists what else tests them.
const test = suite('OWASP API Security Top 10');

const callers: Readonly<Record<string, readonly [tenantId: string, ...permissions: string[]]>> = {
  clerk: ['north', 'orders:read', 'orders:write'],
  reader: ['north', 'orders:read'],
  auditor: ['north', 'audit:read'],
  stranger: ['south', 'orders:*'],
  operator: ['north', 'svc:observe'],
};

/** A bearer token is the name of a caller. */
const authenticate: Authenticate = ({ headers }) => {
  if (headers['authorization'] === undefined) return null;
  const name = String(headers['authorization']).slice('Bearer '.length);
  const [tenantId, ...permissions] = (Object.hasOwn(callers, name) ? callers[name] : undefined) ?? [];
  if (tenantId === undefined) throw new Problem('unauthenticated', { detail: 'Send valid credentials.' });
  return { source: 'test', scope: { tenantId, userId: name }, permissions };
};

/** The orders example in production, with callers of two tenants. */
const withOwnOrders = (body: (url: string) => Promise<void>): Promise<void> =>
  withStore(async (DATABASE_URL) => {
    const env = { SVC_PORT: '0', NODE_ENV: 'production', SVC_LOG: 'silent', SVC_INSPECT: '1' };
    const definition = { ...(await loadService(exampleHere('orders'))), authenticate };
    const host = await startHost(definition, readConfig({ ...env, SVC_BODY_LIMIT: '4096', DATABASE_URL }));
    try {
      await body(host.url);
    } finally {
      await host.stop();
    }
  });

const withGuardedOrders = sharedIn(test, withOwnOrders);

const as = (caller: string): Record<string, string> => ({ authorization: `Bearer ${caller}` });
const get = (url: string, path: string, caller?: string) =>
  send(url, { method: 'GET', path, headers: caller === undefined ? {} : as(caller) });
const order = (url: string, caller: string, body: unknown = anOrder, path = '/orders') =>
  post(url, body, { path, headers: { ...as(caller), prefer: 'wait=10' } });
const archive = async (url: string, orderId: string, caller: string): Promise<string> => {
  const query = `mutation { archiveOrder(command: { orderId: "${orderId}" }) { status } }`;
  const answer = jsonOf(await post(url, { query }, { path: '/graphql', headers: as(caller) }));
  const { errors = [] } = answer as { errors?: { extensions: { code: string; status: number } }[] };
  return errors.map(({ extensions: { status, code } }) => `${status} ${code}`).join();
};
const rowOf = async (url: string, orderId: string) =>
  jsonOf(await get(url, `/orders/${orderId}`, 'clerk')) as Readonly<Record<string, unknown>>;
const countOf = async (url: string, caller: string): Promise<number> =>
  (jsonOf(await get(url, '/orders', caller)) as { totalCount: number }).totalCount;

test('API1: an order of another tenant can be neither read nor changed, and its existence is not revealed', () =>
  withGuardedOrders(async (url) => {
    const before = await countOf(url, 'clerk');
    const others = await countOf(url, 'stranger');
    const orderId = orderIdIn(await order(url, 'clerk'));
    const path = `/orders/${orderId}`;
    assert.is((await get(url, path, 'clerk')).status, 200);
    assert.is(refusalIn(await get(url, path, 'stranger')), '404 not-found');
    assert.equal([await countOf(url, 'clerk'), await countOf(url, 'stranger')], [before + 1, others]);
    for (const [command, more] of [
      ['cancel', {}],
      ['ship', { carrier: 'dhl' }],
    ] as const)
      assert.is(
        refusalIn(await order(url, 'stranger', { orderId, ...more }, `/orders/${command}`)),
        '404 order-not-found',
      );
    assert.is(await archive(url, orderId, 'stranger'), '404 order-not-found');
    assert.is((await rowOf(url, orderId))['status'], 'created');
  }));

test('API2: without valid credentials nothing is answered but 401, the same for every cause', () =>
  withGuardedOrders(async (url) => {
    const answers = new Set<string>();
    const refused = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const answer = await send(url, { method, path, headers });
      assert.is(refusalIn(answer), '401 unauthenticated', `${method} ${path}`);
      const { title, detail } = jsonOf(answer) as { title: string; detail: string };
      answers.add(`${title} ${detail}`);
    };
    for (const path of ['/orders', '/audit-log', '/orders?authorization=Bearer%20clerk&token=clerk'])
      await refused('GET', path, { 'x-user': 'clerk', 'x-forwarded-user': 'clerk', cookie: 'session=clerk' });
    for (const path of ['/orders', '/graphql']) await refused('POST', path);
    for (const guess of ['nobody', 'constructor', '']) await refused('GET', '/orders', as(guess));
    assert.is(answers.size, 1);
  }));

test('API2: guesses are limited, and do not lock out a caller who is known', () =>
  withOwnOrders(async (url) => {
    const statuses: number[] = [];
    for (let n = 0; n < 100 && statuses.at(-1) !== 429; n++) {
      statuses.push((await get(url, '/orders', `guess-${n}`)).status);
      assert.is((await get(url, '/orders', 'clerk')).status, 200);
    }
    assert.equal([...new Set(statuses)], [401, 429]);
  }));

test('API3: a property that a command does not declare has no effect, and a read returns only declared ones', () =>
  withGuardedOrders(async (url) => {
    const extra = {
      orderId: anOrder.customerId,
      status: 'shipped',
      total: '0',
      tenantId: 'south',
      admin: true,
    };
    const others = await countOf(url, 'stranger');
    const orderId = orderIdIn(await order(url, 'clerk', { ...anOrder, ...extra }));
    const row = await rowOf(url, orderId);
    assert.equal(Object.keys(row).sort(), [
      ...['createdAt', 'customerId', 'orderId', 'status', 'total', 'updatedAt'],
    ]);
    assert.equal([row['orderId'], row['status'], row['total']], [orderId, 'created', '6.20']);
    assert.is(await countOf(url, 'stranger'), others);
    const query = `mutation { archiveOrder(command: { orderId: "${orderId}", admin: true }) { status } }`;
    const refused = await post(url, { query }, { path: '/graphql', headers: as('clerk') });
    assert.match(refused.text, 'invalid-query');
    assert.is(refusalIn(await get(url, '/orders?filter[tenant]=south', 'clerk')), '400 invalid-query');
  }));

test('API4: bodies, nesting, pages and documents have limits', () =>
  withGuardedOrders(async (url) => {
    const long = { ...anOrder, customerId: 'x'.repeat(5_000) };
    assert.is(refusalIn(await order(url, 'clerk', long)), '413 body-too-large');
    const deep = `${'['.repeat(1_500)}${']'.repeat(1_500)}`;
    const headers = { ...as('clerk'), 'content-type': 'application/json' };
    const nested = await send(url, { path: '/orders', body: deep, headers });
    assert.ok([400, 422].includes(nested.status), nested.text);
    assert.is(refusalIn(await get(url, '/orders?pageSize=101', 'clerk')), '400 invalid-query');
    const query = `{ ${'a: __typename '.repeat(250)} }`;
    const many = await post(url, { query }, { path: '/graphql', headers: as('clerk') });
    assert.match(many.text, '"errors"');
  }));

test('API5: a caller without the permission of a command or a read gets 403, over every transport, and nothing happens', () =>
  withGuardedOrders(async (url) => {
    const orderId = orderIdIn(await order(url, 'clerk'));
    const count = await countOf(url, 'clerk');
    assert.is(refusalIn(await order(url, 'reader')), '403 access-denied');
    assert.is(refusalIn(await order(url, 'reader', { orderId }, '/orders/cancel')), '403 access-denied');
    assert.is(await archive(url, orderId, 'reader'), '403 access-denied');
    for (const path of ['/orders', `/orders/${orderId}`])
      assert.is(refusalIn(await get(url, path, 'auditor')), '403 access-denied');
    assert.is(refusalIn(await get(url, '/audit-log', 'clerk')), '403 access-denied');
    assert.is((await get(url, '/audit-log', 'auditor')).status, 200);
    assert.is(await countOf(url, 'reader'), count);
    assert.is((await rowOf(url, orderId))['status'], 'created');
  }));

test('API6: an order that is sent twice with one key is created once, and only for the caller who sent it', () =>
  withGuardedOrders(async (url) => {
    const sent = (caller: string) =>
      post(url, anOrder, { path: '/orders', headers: { ...as(caller), 'idempotency-key': 'once' } });
    const first = await sent('clerk');
    assert.is(orderIdIn(await sent('clerk')), orderIdIn(first));
    assert.is(refusalIn(await sent('reader')), '403 access-denied', 'a guard comes before a stored answer');
    assert.not.equal((await sent('stranger')).text, first.text);
  }));

test('API7: no request is sent to an address that a caller names', async () => {
  const asked: string[] = [];
  const elsewhere = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as { port: number };
  const named = `http://127.0.0.1:${port}/`;
  await withGuardedOrders(async (url) => {
    const names = [
      'referer',
      'origin',
      'x-forwarded-host',
      'forwarded',
      'link',
      'callback',
      'x-original-url',
    ];
    const headers = { ...as('clerk'), ...Object.fromEntries(names.map((name) => [name, named])) };
    const shippingAddress = { street: named, city: named, state: named, zipCode: named };
    const body = {
      ...anOrder,
      lineItems: [{ productId: named, quantity: 1, unitPrice: '1' }],
      shippingAddress,
    };
    for (const path of ['/orders', `/orders?url=${named}`]) await post(url, body, { path, headers });
    await send(url, { method: 'GET', path: `/orders?url=${named}`, headers });
    await send(url, { method: 'GET', path: named, headers });
  });
  elsewhere.close();
  assert.equal(asked, []);
});

test('API8: in production introspection is off, errors show no internals, and answers cannot be sniffed', () =>
  withGuardedOrders(async (url) => {
    const query = '{ __schema { types { name } } }';
    const schema = await post(url, { query }, { path: '/graphql', headers: as('clerk') });
    assert.not.match(schema.text, 'CreateOrder');
    assert.match(schema.text, '"errors"');
    // `send` itself refuses answers with stack traces, SQL or paths.
    const broken = await Promise.all([
      get(url, '/orders/%00', 'clerk'),
      get(url, '/nothing', 'clerk'),
      order(url, 'clerk', 'nonsense'),
      order(url, 'clerk', { orderId: anOrder.customerId, carrier: 'x' }, '/orders/ship'),
      send(url, { method: 'TRACE', path: '/orders', headers: as('clerk') }),
    ]);
    for (const { status, headers } of broken) {
      assert.ok(status >= 400 && status < 500, String(status));
      assert.is(headers['x-content-type-options'], 'nosniff');
      assert.is(headers['x-powered-by'], undefined);
      assert.is(headers['server'], undefined);
      assert.is(headers['access-control-allow-origin'], undefined);
    }
  }));

/** Every route that a host registers. */
async function registeredRoutes(): Promise<readonly string[]> {
  const routes = new Set<string>();
  const note = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ url }) => void routes.add(url));
  };
  subscribe('fastify.initialization', note);
  await withOwnOrders(() => Promise.resolve());
  unsubscribe('fastify.initialization', note);
  return [...routes];
}

/** The routes in the guide, with who may ask for them. */
function listedRoutes(): readonly (readonly [route: string, who: string])[] {
  const guide = readFileSync(join(repository, 'docs/guides/permissions.md'), 'utf8');
  return [...guide.matchAll(/^\| (`\/.*?) +\| (.*?) +\|$/gm)].flatMap(([, cell = '', who = '']) =>
    cell.split(', ').map((route) => [route.replaceAll('`', ''), who] as const),
  );
}

test('API9: every route of a host is in its OpenAPI document or in the list of the guide', async () => {
  const document = readFileSync(join(repository, 'examples/orders/generated/openapi.json'), 'utf8');
  const { paths } = JSON.parse(document) as { paths: Readonly<Record<string, unknown>> };
  const listed = listedRoutes().map(([route]) => route);
  const isKnown = (url: string): boolean =>
    Object.hasOwn(paths, url.replace(/:(\w+)/g, '{$1}')) ||
    listed.some((route) => url === route || url.startsWith(`${route === '/' ? '//' : route}/`));
  const routes = await registeredRoutes();
  assert.ok(routes.includes('/orders') && routes.includes('/console'), routes.join(' '));
  assert.equal(
    routes.filter((url) => !isKnown(url)),
    [],
  );
});

test('API9: who may ask for a route of the list is what the guide says', () =>
  withGuardedOrders(async (url) => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    for (const [path, who] of listedRoutes()) {
      if (path === '/') continue;
      const method = path === '/mcp' ? 'POST' : 'GET';
      const asked = { method, path, headers: path === '/inspect' ? headers : {} };
      const { status } = await send(url, asked);
      assert.is(status, who.startsWith('everybody') ? 200 : 401, path);
      if (!who.startsWith('`svc:observe`') || path === '/inspect') continue;
      assert.is((await get(url, path, 'auditor')).status, 403, path);
      const shown = await fetch(url + path, { headers: as('operator') });
      await shown.body?.cancel();
      assert.is(shown.status, 200, path);
    }
  }));

test('SECURITY.md names a test for every row, and each one exists', () => {
  const text = readFileSync(join(repository, 'SECURITY.md'), 'utf8');
  for (let row = 1; row <= 10; row++) {
    const line = new RegExp(`^\\| API${row}[ :].*$`, 'm').exec(text)?.[0] ?? '';
    const files = [...line.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);
    assert.ok(files.length > 0, `API${row}`);
    for (const file of files) assert.ok(existsSync(join(repository, file)), file);
  }
});
