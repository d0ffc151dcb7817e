import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { order } from '../testing/bakery.js';
import { jsonOf, post, problemIn, refusalIn, send } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { type Routes, withOwnRoutes } from './testing/with-own-routes.js';

const test = suite('plugins of an application');

const shop = { origin: 'https://shop.example' };

test('the headers of @fastify/cors are on the answers of commands, and it answers their preflights', () =>
  withOwnRoutes(
    (app) => void app.register(cors, { origin: 'https://shop.example', credentials: true }),
    async ({ url }) => {
      for (const sent of [order, { wrong: true }]) {
        const answer = await post(url, sent, { headers: shop });
        assert.is(answer.headers['access-control-allow-origin'], 'https://shop.example');
        assert.is(answer.headers['access-control-allow-credentials'], 'true');
        assert.is(answer.headers['x-content-type-options'], 'nosniff');
      }
      const headers = { ...shop, 'access-control-request-method': 'POST' };
      const preflight = await send(url, { method: 'OPTIONS', headers });
      assert.is(preflight.status, 204);
      assert.is(preflight.headers['access-control-allow-origin'], 'https://shop.example');
    },
    { http: { authentication: knownCallers() }, permissions: { BakeBread: 'public' } },
  ));

test('a cookie that a hook sets is on the answer of a command', () =>
  withOwnRoutes(
    async (app) => {
      await app.register(cookie);
      app.addHook('preHandler', async (request, reply) => {
        void reply.setCookie('seen', request.cookies['seen'] ?? 'first');
      });
    },
    async ({ url }) => {
      const first = await post(url, order);
      assert.is(first.status, 200);
      assert.equal(first.headers['set-cookie'], ['seen=first; SameSite=Lax']);
      const again = await post(url, order, { headers: { cookie: 'seen=again' } });
      assert.equal(again.headers['set-cookie'], ['seen=again; SameSite=Lax']);
    },
  ));

test('a hook before the body leaves commands their own way, may refuse, and its headers are on every answer', () => {
  const routes: Routes = (app) => {
    // With later hooks, commands would need the parser of the framework.
    app.removeAllContentTypeParsers();
    app.addHook('onRequest', async ({ headers }, reply) => {
      if (headers['x-closed'] !== undefined)
        throw Object.assign(new Error('We are closed.'), { statusCode: 403 });
      if (headers['x-plain'] !== undefined) return;
      reply.header('set-cookie', ['a=1', 'b=2']).header('referrer-policy', 'origin');
      reply.raw.setHeader('x-shop', 'north');
    });
  };
  return withOwnRoutes(routes, async ({ url }) => {
    for (const [sent, status] of [
      [order, 200],
      [{ wrong: true }, 422],
    ] as const) {
      const answer = await post(url, sent);
      assert.is(answer.status, status);
      assert.equal(answer.headers['set-cookie'], ['a=1', 'b=2']);
      assert.is(answer.headers['x-shop'], 'north');
      assert.is(answer.headers['x-content-type-options'], 'nosniff');
      assert.ok(answer.headers['x-correlation-id']);
    }
    assert.is((await post(url, order)).headers['referrer-policy'], 'origin');
    const plain = await post(url, order, { headers: { 'x-plain': '1' } });
    assert.equal([plain.status, plain.headers['referrer-policy']], [200, 'no-referrer']);
    assert.is(refusalIn(await post(url, order, { headers: { 'x-closed': '1' } })), '403 access-denied');
  });
});

test('every hook of a plugin runs for commands and for GraphQL, and may refuse', () => {
  const seen: string[] = [];
  const routes: Routes = (app) => {
    for (const name of ['onRequest', 'preValidation', 'preHandler', 'onResponse'] as const)
      app.addHook(name, async ({ url }) => void seen.push(`${name} ${url}`));
    app.addHook('preHandler', async ({ headers }) => {
      if (headers['x-closed'] !== undefined)
        throw Object.assign(new Error('We are closed.'), { statusCode: 403 });
    });
  };
  return withOwnRoutes(routes, async ({ url }) => {
    const query = { query: '{ __typename }' };
    assert.is((await post(url, order)).status, 200);
    assert.is((await post(url, query, { path: '/graphql' })).status, 200);
    for (const path of ['/bread', '/graphql'])
      for (const name of ['onRequest', 'preValidation', 'preHandler'])
        assert.ok(seen.includes(`${name} ${path}`), `${name} ${path}`);
    const refused = await post(url, order, { headers: { 'x-closed': '1' } });
    assert.is(refusalIn(refused), '403 access-denied');
    assert.is(problemIn(refused).detail, 'We are closed.');
  });
});

test('a hook knows the correlation id of a command, and an answer that is sent twice through a slow hook is sent once', () => {
  const seen: string[] = [];
  const routes: Routes = (app) => {
    app.addHook('onRequest', async ({ correlationId }) => void seen.push(correlationId));
    app.addHook('onSend', async (_, _reply, payload) => {
      await new Promise((resolve) => setImmediate(resolve));
      return payload;
    });
    app.get('/twice', (_, reply) => {
      void reply.send('one');
      void reply.send('two');
    });
  };
  return withOwnRoutes(routes, async ({ url }) => {
    const { headers } = await post(url, order);
    assert.equal(seen, [headers['x-correlation-id']]);
    assert.is((await send(url, { method: 'GET', path: '/twice' })).text, 'one');
    assert.is((await post(url, order)).status, 200);
  });
});

test('files are served by @fastify/static, and a missing one is a problem', () =>
  withFolder(async (root) => {
    await mkdir(join(root, 'assets'));
    await writeFile(join(root, 'assets', 'hello.txt'), 'hello');
    const routes: Routes = (app) =>
      void app.register(async (scope) => {
        scope.addHook('onRoute', (route) => {
          route.config = { ...route.config, permission: 'public' };
        });
        scope.addHook('onSend', async (_request, reply) => {
          reply.header('content-security-policy', "default-src 'self'");
        });
        await scope.register(fastifyStatic, { root });
      });
    await withOwnRoutes(
      routes,
      async ({ url }) => {
        const found = await send(url, { method: 'GET', path: '/assets/hello.txt' });
        assert.equal([found.status, found.text], [200, 'hello']);
        assert.is(found.headers['content-security-policy'], "default-src 'self'");
        assert.is(found.headers['x-content-type-options'], 'nosniff');
        for (const path of ['/assets/none.txt', '/../etc/passwd', '/assets/%2e%2e/%2e%2e/etc/passwd'])
          assert.is(problemIn(await send(url, { method: 'GET', path })).status >= 400, true, path);
        assert.is(refusalIn(await send(url, { method: 'POST', path: '/assets/hello.txt' })), '404 not-found');
        const baked = await post(url, order, { headers: bearing('operator') });
        assert.is(baked.status, 200);
      },
      { http: { authentication: knownCallers() } },
    );
  }));

const boundary = 'loaf';
const formOf = (content: string): string =>
  [
    `--${boundary}`,
    'content-disposition: form-data; name="file"; filename="a.txt"',
    'content-type: text/plain',
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n');

const upload = (url: string, path: string, content: string) =>
  send(url, {
    path,
    body: formOf(content),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });

test('an own route takes uploads by @fastify/multipart up to its limit, and a command never takes a form', () =>
  withOwnRoutes(
    async (app) => {
      await app.register(multipart, { limits: { fileSize: 50 } });
      app.post('/files', async (request) => {
        const file = await request.file();
        return { name: file?.filename, size: (await file?.toBuffer())?.length };
      });
      app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, body, done) => done(null, body));
    },
    async ({ url }) => {
      assert.equal(jsonOf(await upload(url, '/files', 'bread')), { name: 'a.txt', size: 5 });
      assert.is(refusalIn(await upload(url, '/files', 'x'.repeat(60))), '413 body-too-large');
      assert.is(refusalIn(await upload(url, '/bread', '{}')), '415 unsupported-media-type');
      const text = { body: JSON.stringify(order), headers: { 'content-type': 'text/plain' } };
      assert.is(refusalIn(await send(url, text)), '415 unsupported-media-type');
    },
  ));

test('without hooks of the application commands and GraphQL do not depend on its parsers, and have all their headers', () =>
  withOwnRoutes(
    (app) => {
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
        done(null, { length: body.length }),
      );
      app.post('/length', ({ body }) => body);
    },
    async ({ url }) => {
      assert.equal(jsonOf(await post(url, 'four', { path: '/length' })), { length: 6 });
      const baked = await post(url, order);
      assert.is(baked.status, 200);
      for (const name of ['x-correlation-id', 'traceparent', 'x-content-type-options'])
        assert.ok(baked.headers[name], name);
      assert.is((await post(url, { query: '{ __typename }' }, { path: '/graphql' })).status, 200);
    },
  ));

test('an own route may validate and encode by the schemas of Fastify', () =>
  withOwnRoutes(
    (app) =>
      app.post(
        '/sum',
        {
          schema: {
            body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
            response: { 200: { type: 'object', properties: { a: { type: 'integer' } } } },
          },
        },
        ({ body }) => ({ ...(body as object), hidden: true }),
      ),
    async ({ url }) => {
      assert.is((await post(url, { a: 1 }, { path: '/sum' })).text, '{"a":1}');
      const refused = await post(url, {}, { path: '/sum' });
      assert.is(refusalIn(refused), '400 malformed-request');
      assert.match(problemIn(refused).detail ?? '', "must have required property 'a'");
    },
  ));
