import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { healthRoutes } from '../routes/health.js';
import { order, withBakery } from '../testing/bakery.js';
import { post, refusalIn, send } from '../testing/http-client.js';

const test = suite('a host that serves only its own machine');

const probes = healthRoutes(
  'oven-1',
  { state: 'watching', results: [] },
  { live: '/health/live', ready: '/health/ready', details: '/health' },
);

const withLocalBakery = (body: (url: string) => Promise<void>): Promise<void> =>
  withBakery({ http: { localOnly: true, routes: [probes], openApi: '{}' } }, ({ url }) => body(url));

test('a page that rebinds its own name reaches nothing: no command, no page, no probe', () =>
  withLocalBakery(async (url) => {
    const headers = { host: `evil.test:${new URL(url).port}` };
    assert.is(refusalIn(await post(url, order, { headers })), '421 misdirected');
    for (const path of ['/openapi.json', '/health/live', '/health/ready', '/nothing', '/%zz'])
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
    assert.is((await ask('/health/ready')).status, 200);
  }));

test('a host behind a proxy answers to every host name', () =>
  withBakery({}, async ({ url }) => {
    const headers = { host: 'orders.example', 'x-forwarded-for': '10.0.0.7' };
    assert.is((await post(url, order, { headers })).status, 200);
  }));

test.run();
