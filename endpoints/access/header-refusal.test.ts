import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { healthAccess, healthRoutes } from '../routes/health.js';
import { order, withBakery } from '../testing/bakery.js';
import { openRaw, post, refusalIn, send } from '../testing/http-client.js';
import { closedAccess } from './access.js';

const test = suite('a host that serves only its own machine');

const check = { name: 'store', tags: [], status: 'Healthy', detail: null, latencyMs: 1, since: '' } as const;
const probes = healthRoutes(
  'oven-1',
  { state: 'watching', results: [check] },
  { live: '/health/live', ready: '/health/ready', details: '/health' },
  healthAccess(closedAccess),
);

const withLocalBakery = (body: (url: string) => Promise<void>): Promise<void> =>
  withBakery({ http: { localOnly: true, routes: [probes], openApi: '{}' } }, ({ url }) => body(url));

test('a page that rebinds its own name reaches no command, no page and no details', () =>
  withLocalBakery(async (url) => {
    const headers = { host: `evil.test:${new URL(url).port}` };
    assert.is(refusalIn(await post(url, order, { headers })), '421 misdirected');
    for (const path of ['/openapi.json', '/health', '/nothing', '/%zz'])
      assert.is(refusalIn(await send(url, { method: 'GET', path, headers })), '421 misdirected', path);
    for (const host of ['localhost', 'orders.localhost:3000', '127.0.0.1', '[::1]:80'])
      assert.is((await post(url, order, { headers: { host } })).status, 200, host);
  }));

test('a forwarded request is not from this machine, except for health probes', () =>
  withLocalBakery(async (url) => {
    const headers = { 'x-forwarded-for': '10.0.0.7' };
    assert.is(refusalIn(await post(url, order, { headers })), '403 access-denied');
    const ask = (path: string) => send(url, { method: 'GET', path, headers });
    assert.is(refusalIn(await ask('/openapi.json')), '403 access-denied');
    assert.is(refusalIn(await ask('/health')), '403 access-denied');
  }));

test('a load balancer probes by any name and through any proxy, and sees the status alone', () =>
  withLocalBakery(async (url) => {
    for (const headers of [{ host: '10.0.0.7:3000' }, { host: 'orders.example' }, { via: '1.1 lb' }]) {
      const ask = (path: string) => send(url, { method: 'GET', path, headers });
      assert.is((await ask('/health/live')).status, 200);
      const ready = await ask('/health/ready');
      assert.equal([ready.status, ready.text], [200, '{"status":"Healthy"}']);
    }
    for (const path of ['/health/ready', '/health'])
      assert.match((await send(url, { method: 'GET', path })).text, '"name":"store"');
  }));

test('a body in a transfer encoding other than chunked is refused', () =>
  withBakery({}, async ({ url }) => {
    const body = JSON.stringify(order);
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const answerTo = async (coding: string): Promise<string> => {
      const line = await openRaw(url);
      const head = ['Host: localhost', 'Content-Type: application/json', `Transfer-Encoding: ${coding}`];
      line.write(['POST /bread HTTP/1.1', ...head, 'Connection: close', '', chunks].join('\r\n'));
      return (await line.closed).slice(0, 12);
    };
    assert.is(await answerTo('chunked'), 'HTTP/1.1 200');
    assert.is(await answerTo('Chunked'), 'HTTP/1.1 200');
    assert.is(await answerTo('gzip, chunked'), 'HTTP/1.1 400');
  }));

test('a host behind a proxy answers to every host name', () =>
  withBakery({}, async ({ url }) => {
    const headers = { host: 'orders.example', 'x-forwarded-for': '10.0.0.7' };
    assert.is((await post(url, order, { headers })).status, 200);
  }));
