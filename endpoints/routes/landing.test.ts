import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withBakery } from '../testing/bakery.js';
import { send } from '../testing/http-client.js';
import { landingRoute } from './landing.js';

const test = suite('landing page');

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/href="\.([^"]+)"/g)].map(([, path = '']) => path);

test('in development GET / links to the pages that the host has', () =>
  withBakery({ http: { development: true, openApi: '{}' } }, async ({ url }) => {
    const { status, headers, text } = await send(url, { method: 'GET', path: '/' });
    assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.match(String(headers['content-security-policy']), /^default-src 'none';/);
    const links = linksIn(text);
    assert.ok(links.includes('/docs') && links.includes('/graphql') && !links.includes('/console'), text);
    const browser = { accept: 'text/html' };
    for (const path of links)
      assert.is((await send(url, { method: 'GET', path, headers: browser })).status, 200, path);
  }));

test('elsewhere nothing is at /', () =>
  withBakery({ http: { openApi: '{}' } }, async ({ url }) => {
    assert.is((await send(url, { method: 'GET', path: '/' })).status, 404);
  }));

test('a route of the application stays', async () => {
  const app = fastify();
  app.get('/', () => 'mine');
  landingRoute(app);
  assert.is((await app.inject('/')).body, 'mine');
});

test.run();
