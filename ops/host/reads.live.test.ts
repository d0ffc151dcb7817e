import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';
import { anOrder } from '../testing/order-load.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';

const test = suite('reads of the orders example');

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

const withHost = (body: (host: Host) => Promise<void>): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url });
    const host = await startHost(await loadService(orders), config);
    try {
      await body(host);
    } finally {
      await host.stop();
    }
  });

const whileRunning = sharedIn(test, withHost);

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly totalCount: number;
  readonly nextCursor?: string;
}

const send = (url: string, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=10', ...headers },
    body: JSON.stringify(body),
  });

const create = async (url: string): Promise<string> =>
  ((await (await send(url, '/orders', anOrder)).json()) as { orderId: string }).orderId;

const read = async (url: string): Promise<Page> => (await (await fetch(url)).json()) as Page;

test('Prefer: wait lets a client read its own writes', () =>
  whileRunning(async ({ url }) => {
    const answer = await send(url, '/orders', anOrder);
    assert.is(answer.headers.get('preference-applied'), 'wait=10');
    const { orderId } = (await answer.json()) as { orderId: string };
    const row = (await (await fetch(`${url}/orders/${orderId}`)).json()) as Record<string, unknown>;
    assert.equal(
      [row['orderId'], row['customerId'], row['status'], row['total']],
      [orderId, anOrder.customerId, 'created', '6.20'],
    );
    await send(url, '/orders/cancel', { orderId });
    const cancelled = (await (await fetch(`${url}/orders/${orderId}`)).json()) as Record<string, unknown>;
    assert.is(cancelled['status'], 'cancelled');
    assert.ok(String(cancelled['updatedAt']) > String(cancelled['createdAt']));
  }));

test('pages, filters and sort orders follow the URL', () =>
  withHost(async ({ url }) => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await create(url));
    for (const orderId of ids.slice(0, 5)) await send(url, '/orders/cancel', { orderId });
    const first = await read(`${url}/orders`);
    assert.is(first.data.length, 10);
    const { data: _, nextCursor = '', ...facts } = first;
    assert.equal(facts, {
      totalCount: 12,
      totalCountIs: 'exact',
      page: 1,
      pageSize: 10,
      totalPages: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    });
    const second = await read(`${url}/orders?page=2`);
    assert.equal([second.data.length, second.nextCursor], [2, undefined]);
    assert.equal(await read(`${url}/orders?cursor=${nextCursor}`), second);
    const refused = await fetch(`${url}/orders?cursor=${nextCursor}&filter[status]=created`);
    assert.is(refused.status, 400);
    assert.match(((await refused.json()) as { detail: string }).detail, 'cursor belongs to another query');
    assert.is((await read(`${url}/orders?filter[status]=cancelled`)).totalCount, 5);
    assert.is((await read(`${url}/orders?filter[total]=6.2`)).totalCount, 12);
    assert.is((await read(`${url}/orders?filter[total][gte]=6.20&filter[total][lt]=7`)).totalCount, 12);
    assert.is((await read(`${url}/orders?filter[total][gt]=6.2&count=exact`)).totalCount, 0);
    assert.is((await read(`${url}/orders?filter[status][in]=shipped,cancelled`)).totalCount, 5);
    assert.is((await read(`${url}/orders?filter[status][contains]=CREATE`)).totalCount, 7);
    const sorted = await read(`${url}/orders?sort=status,-total&pageSize=100`);
    assert.equal(
      sorted.data.map(({ status }) => status),
      [...Array.from({ length: 5 }, () => 'cancelled'), ...Array.from({ length: 7 }, () => 'created')],
    );
    assert.equal((await read(`${url}/orders?page=1000`)).data, []);
  }));

test('an unsupported parameter is refused with the supported ones', () =>
  whileRunning(async ({ url }) => {
    const answer = await fetch(`${url}/orders?filter[password]=x&sort=-secret&pageSize=1000`);
    assert.is(answer.status, 400);
    assert.match(answer.headers.get('content-type') ?? '', 'application/problem+json');
    const { type, errors } = (await answer.json()) as { type: string; errors: { path: string }[] };
    assert.is(type, 'urn:svc:problem:invalid-query');
    assert.equal(
      errors.map(({ path }) => path),
      ['/filter/password', '/pageSize', '/sort'],
    );
  }));

test('an unchanged answer is not sent again', () =>
  whileRunning(async ({ url }) => {
    const id = await create(url);
    const first = await fetch(`${url}/orders/${id}`);
    await first.text();
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.is((await fetch(`${url}/orders/${id}`, { headers })).status, 304);
    await send(url, '/orders/ship', { orderId: id, carrier: 'dhl' });
    assert.is((await fetch(`${url}/orders/${id}`, { headers })).status, 200);
  }));

test('every read supports HEAD', () =>
  whileRunning(async ({ url }) => {
    for (const path of ['/orders', '/audit-log']) {
      const head = await fetch(url + path, { method: 'HEAD' });
      assert.equal([head.status, await head.text()], [200, ''], path);
    }
  }));

test('a row is found by its id, however the letters of the UUID are written', () =>
  whileRunning(async ({ url }) => {
    const id = await create(url);
    const answer = await fetch(`${url}/orders/${id.toUpperCase()}`);
    assert.equal([answer.status, ((await answer.json()) as { orderId: string }).orderId], [200, id]);
  }));

test('a missing row is 404, and the path of a command is never read as an id', () =>
  whileRunning(async ({ url }) => {
    for (const id of ['nothing', '018f0000-0000-7000-8000-000000000001', '%00'])
      assert.is((await fetch(`${url}/orders/${id}`)).status, 404, id);
    const refused = await fetch(`${url}/orders/cancel`);
    assert.equal([refused.status, refused.headers.get('allow')], [405, 'POST']);
    const other = await fetch(`${url}/orders`, { method: 'DELETE' });
    assert.equal([other.status, other.headers.get('allow')], [405, 'GET, HEAD, POST']);
    assert.is((await fetch(`${url}/orders/x`, { method: 'POST' })).status, 405);
  }));

test('the audit log shows audits, newest first and without bodies', () =>
  whileRunning(async ({ url }) => {
    const answer = await send(url, '/orders', anOrder, { 'x-correlation-id': 'story-7' });
    assert.is(answer.status, 200);
    const log = () => read(`${url}/audit-log?filter[correlationId]=story-7`);
    await untilPasses(async () =>
      assert.equal(
        (await log()).data.map(({ eventType, commandType, originalEventType }) => [
          eventType,
          commandType ?? originalEventType,
        ]),
        [
          ['CommandAudited', 'ReserveStock'],
          ['EventAudited', 'StockReserved'],
          ['CommandAudited', 'CreateOrder'],
          ['EventAudited', 'OrderCreated'],
        ],
      ),
    );
    for (const entry of (await log()).data) {
      assert.type(entry['position'], 'number');
      assert.not('commandBody' in entry || 'originalBody' in entry || 'scope' in entry);
    }
  }));
