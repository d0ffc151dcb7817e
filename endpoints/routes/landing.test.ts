import fastify, { type FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withBakery } from '../testing/bakery.js';
import { send } from '../testing/http-client.js';
import { landingContent } from './landing-content.js';
import { landingRoute } from './landing.js';

const test = suite('landing page');

const linksIn = (text: string): readonly string[] =>
  [...text.matchAll(/href="\.([^"]+)"/g)].map(([, path = '']) => path);

const openApi = JSON.stringify({ openapi: '3.1.0', info: { title: 'bakery' } });

const breads = (app: FastifyInstance) => app.get('/breads', () => ({ data: [] }));
const reads = [{ path: '/breads', add: (app: FastifyInstance) => void breads(app) }];

test('in development GET / links to the pages, commands and perspectives that the host has', () =>
  withBakery({ http: { development: true, openApi, reads } }, async ({ url }) => {
    const { status, headers, text } = await send(url, { method: 'GET', path: '/' });
    assert.equal([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.match(text, '<h1>bakery</h1>');
    const links = linksIn(text);
    for (const path of ['/docs', '/graphql', '/openapi.json', '/docs#bakeBread', '/breads'])
      assert.ok(links.includes(path), path);
    assert.not(links.includes('/console'));
    assert.match(text, '<code>POST /bread</code>');
    const browser = { accept: 'text/html' };
    for (const path of links.map((link) => link.replace(/#.*/, '')))
      assert.is((await send(url, { method: 'GET', path, headers: browser })).status, 200, path);
  }));

test('it loads nothing, and has no script', () =>
  withBakery({ http: { development: true, openApi } }, async ({ url }) => {
    const { headers, text } = await send(url, { method: 'GET', path: '/' });
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/);
    assert.not.match(text, /<script|https?:|\sstyle=|\son\w+=/);
  }));

test('elsewhere nothing is at /', () =>
  withBakery({ http: { openApi } }, async ({ url }) => {
    assert.is((await send(url, { method: 'GET', path: '/' })).status, 404);
  }));

test('a route of the application stays', async () => {
  const app = fastify();
  app.get('/', () => 'mine');
  landingRoute(app, { endpoints: [] });
  assert.is((await app.inject('/')).body, 'mine');
});

test('names are text, never markup', () => {
  const hostile = `"><script>alert('&')</script>`;
  const commands = [{ name: hostile, restRoute: `/${hostile}`, graphQLMutation: hostile }];
  const content = landingContent(hostile, [], { commands, perspectives: [{ path: hostile, isLive: true }] });
  assert.not.match(content, /<script|"">/);
  assert.match(content, '<h1>&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;</h1>');
});
