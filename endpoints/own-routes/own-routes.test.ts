import type { FastifyInstance } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import { until } from '../../runtime/testing/until.js';
import { type Bakery, BakeBread, type Kitchen, order, withBakery } from '../testing/bakery.js';
import { type Answered, jsonOf, openRaw, post, problemIn, refusalIn, send } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';

const test = suite('own routes');

type Routes = (app: FastifyInstance) => unknown;

const withRoutes = (
  ownRoutes: Routes,
  body: (bakery: Bakery) => Promise<void>,
  { http, ...kitchen }: Kitchen = {},
): Promise<void> => withBakery({ ...kitchen, http: { ...http, ownRoutes } }, body);

const get = (url: string, path: string, headers: Record<string, string> = {}): Promise<Answered> =>
  send(url, { method: 'GET', path, headers });

test('an own route answers with the security headers and a correlation id', () =>
  withRoutes(
    (app) => app.get('/hello', (request) => ({ id: request.correlationId })),
    async ({ url }) => {
      const answer = await get(url, '/hello', { 'x-correlation-id': 'story-7' });
      assert.equal([answer.status, jsonOf(answer)], [200, { id: 'story-7' }]);
      assert.is(answer.headers['x-correlation-id'], 'story-7');
      assert.match(String(answer.headers['traceparent']), /^00-/);
      assert.is(answer.headers['x-content-type-options'], 'nosniff');
      const { id } = jsonOf(await get(url, '/hello')) as { readonly id: string };
      assert.match(id, /^[0-9a-f-]{36}$/);
    },
  ));

test('an own route serves those who have the permission that it declares, and knows who they are', () => {
  const authentication = knownCallers();
  const routes: Routes = (app) => {
    app.get('/open', { config: { permission: 'public' } }, ({ identity }) => ({
      who: identity?.scope.userId ?? 'nobody',
    }));
    app.get('/known', { config: { permission: 'authenticated' } }, ({ identity }) => ({
      who: identity?.scope.userId,
    }));
    app.get('/eat', { config: { permission: Permission.of('bread', 'eat') } }, () => ({ eaten: true }));
  };
  return withRoutes(
    routes,
    async ({ url }) => {
      assert.equal(jsonOf(await get(url, '/open')), { who: 'nobody' });
      assert.equal(jsonOf(await get(url, '/open', bearing('guest'))), { who: 'bob' });
      assert.is(refusalIn(await get(url, '/known')), '401 unauthenticated');
      assert.is(refusalIn(await get(url, '/known', bearing('stranger'))), '401 unauthenticated');
      assert.equal(jsonOf(await get(url, '/known', bearing('guest'))), { who: 'bob' });
      assert.is((await get(url, '/eat', bearing('guest'))).status, 200);
      assert.is(refusalIn(await get(url, '/eat', bearing('operator'))), '403 access-denied');
      assert.ok(authentication.decided.includes('granted bob bread:eat GET /eat'));
      assert.ok(authentication.decided.includes('denied ada bread:eat GET /eat'));
    },
    { http: { authentication } },
  );
});

test('a permission may be declared for all routes of a plugin, and one that is not a permission is refused', async () => {
  const authentication = knownCallers();
  const routes: Routes = (app) => {
    void app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, permission: 'public' };
      });
      scope.get('/open', () => 'open');
    });
  };
  await withRoutes(routes, async ({ url }) => assert.is((await get(url, '/open')).status, 200), {
    http: { authentication },
  });
  const wrong: Routes = (app) =>
    app.get('/eat', { config: { permission: 'bread:eat' as 'public' } }, () => 'eaten');
  assert.is(
    await failureOf(wrong),
    "The permission of GET /eat must be 'public', 'authenticated' or Permission.of(…).",
  );
});

test('a problem that a handler throws is answered as it is; any other error reveals nothing', () =>
  withRoutes(
    (app) => {
      app.get('/burnt', () => {
        throw new Problem('burnt', { status: 418, detail: 'Too hot.' });
      });
      app.get('/broken', async () => {
        throw new TypeError('the password is bread');
      });
    },
    async ({ url }) => {
      const burnt = problemIn(await get(url, '/burnt', { 'x-correlation-id': 'story-8' }));
      assert.equal([burnt.status, burnt.detail, burnt.correlationId], [418, 'Too hot.', 'story-8']);
      const broken = await get(url, '/broken');
      assert.is(refusalIn(broken), '500 unexpected');
      assert.not.match(broken.text, 'password');
    },
  ));

test('a handler dispatches a command on behalf of its caller, with hooks and the same correlation id', () => {
  const seen: string[] = [];
  const routes: Routes = (app) =>
    app.post('/bake', { config: { permission: 'authenticated' } }, async (request) => {
      const { baked } = await request.dispatch<{ baked: number }>(BakeBread.of(order));
      return { baked, id: request.correlationId };
    });
  return withRoutes(
    routes,
    async ({ url }) => {
      const answer = jsonOf(await post(url, {}, { path: '/bake', headers: bearing('operator') }));
      const { baked, id } = answer as { readonly baked: number; readonly id: string };
      assert.is(baked, 2);
      assert.equal(seen, [`ada ${id}`]);
      const refused = await post(url, {}, { path: '/bake', headers: bearing('guest') });
      assert.is(refusalIn(refused), '403 access-denied');
      assert.is(seen.length, 1);
    },
    {
      http: { authentication: knownCallers() },
      before: (_, { identity, correlationId }) => {
        seen.push(`${identity?.scope.userId ?? ''} ${correlationId}`);
      },
    },
  );
});

test('with an idempotency key a command runs once, and a refusal is repeated as well', () => {
  let runs = 0;
  const routes: Routes = (app) =>
    app.post('/bake', async (request) => {
      const { loaves } = request.body as { readonly loaves: number };
      const command = BakeBread.of({ ...order, loaves });
      return request.dispatch(command, { idempotencyKey: request.headers['idempotency-key'] });
    });
  return withRoutes(
    routes,
    async ({ url }) => {
      const bake = (key: string, loaves: number) =>
        post(url, { loaves }, { path: '/bake', headers: { 'idempotency-key': key } });
      const first = await bake('monday', 2);
      assert.is(first.status, 200);
      assert.is((await bake('monday', 2)).text, first.text);
      assert.is(runs, 1);
      assert.is(refusalIn(await bake('monday', 3)), '422 idempotency-key-reused');
      assert.is(refusalIn(await bake('tuesday', 13)), '422 unlucky');
      assert.is(refusalIn(await bake('tuesday', 13)), '422 unlucky');
      assert.is(runs, 2);
    },
    {
      bake: ({ loaves }) => {
        runs++;
        if (loaves === 13) throw new Problem('unlucky', { status: 422, detail: 'Thirteen.' });
        return { baked: loaves, run: runs };
      },
    },
  );
});

test('a route that never answers is answered at the deadline, and its late answer is dropped', () => {
  const late: (() => void)[] = [];
  let isAborted = false;
  const routes: Routes = (app) =>
    app.get('/slow', (request, reply) => {
      request.signal.addEventListener('abort', () => (isAborted = true));
      late.push(() => void reply.send('late'));
    });
  return withRoutes(
    routes,
    async ({ url, server }) => {
      assert.is(refusalIn(await get(url, '/slow')), '504 deadline-exceeded');
      assert.is(isAborted, true);
      for (const answer of late) answer();
      assert.is((await post(url, order)).status, 200);
      await until(() => server.active === 0);
    },
    { deadlineMs: 50 },
  );
});

test('a route that answers twice, or fails after its answer has begun, harms no other request', () =>
  withRoutes(
    (app) => {
      app.get('/twice', (_, reply) => {
        void reply.send('one');
        void reply.send('two');
      });
      app.get('/both', async (_, reply) => {
        void reply.send('one');
        return 'two';
      });
      app.get('/begun', async (_, reply) => {
        reply.raw.writeHead(200, { 'content-length': '100' });
        reply.raw.write('begun');
        throw new TypeError('too late');
      });
    },
    async ({ url, server }) => {
      assert.is((await get(url, '/twice')).text, 'one');
      assert.is((await get(url, '/both')).text, 'one');
      const failed = await get(url, '/begun').then(
        () => 'answered',
        () => 'cut off',
      );
      assert.is(failed, 'cut off');
      assert.is((await post(url, order)).status, 200);
      await until(() => server.active === 0);
    },
  ));

test('a drain waits for an own route, and its answer closes the connection', async () => {
  let answer: (() => void) | undefined;
  await withRoutes(
    (app) => app.get('/slow', () => new Promise((resolve) => (answer = () => resolve({ done: true })))),
    async ({ url, server }) => {
      const line = await openRaw(url);
      line.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until(() => answer !== undefined);
      assert.is(server.active, 1);
      const drained = server.drain();
      answer?.();
      const received = await line.closed;
      assert.match(received, 'HTTP/1.1 200');
      assert.match(received, /connection: close/i);
      await drained;
    },
  );
});

test('a client that disconnects aborts the signal of its request', () => {
  let signal: AbortSignal | undefined;
  return withRoutes(
    (app) =>
      app.get('/slow', (request) => {
        ({ signal } = request);
        return new Promise(() => undefined);
      }),
    async ({ url, server }) => {
      const line = await openRaw(url);
      line.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await until(() => signal !== undefined);
      line.close();
      await until(() => signal?.aborted === true);
      await until(() => server.active === 0);
    },
  );
});

test('a body over the limit is refused, and a path without a route, and another method', () =>
  withRoutes(
    (app) => app.post('/notes/:id', ({ body }) => ({ body })),
    async ({ url }) => {
      const big = JSON.stringify('x'.repeat(200));
      const headers = { 'content-type': 'application/json' };
      assert.is(refusalIn(await send(url, { path: '/notes/1', body: big, headers })), '413 body-too-large');
      assert.is(refusalIn(await send(url, { path: '/notes/1', body: '{', headers })), '400 malformed-json');
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await send(url, { path: '/notes/1', body: 'a=1', headers: form });
      assert.is(refusalIn(sent), '415 unsupported-media-type');
      assert.is(refusalIn(await get(url, '/nothing')), '404 not-found');
      const other = await get(url, '/notes/1');
      assert.equal([refusalIn(other), other.headers['allow']], ['405 method-not-allowed', 'POST']);
    },
    { http: { bodyLimit: 100 } },
  ));

const failures: Readonly<Record<string, readonly [Routes, RegExp]>> = {
  'the path of a command': [
    (app) => app.post('/bread', () => 'mine'),
    /^POST \/bread is a route of this host already; give the route in your routes\(app\) another path$/,
  ],
  'a path of its own, twice': [
    (app) => app.get('/a', () => 'a').get('/a', () => 'b'),
    /^The service's routes cannot be loaded: Method 'GET' already declared for route '\/a'/,
  ],
  'a plugin that fails': [
    (app) =>
      void app.register(async () => {
        throw new TypeError('no such folder');
      }),
    /^The service's routes cannot be loaded: no such folder$/,
  ],
  'an error handler for all routes': [
    (app) => app.setErrorHandler(() => 'mine'),
    /^The service's routes cannot be loaded: call setErrorHandler in a plugin of your own/,
  ],
};

for (const [what, [routes, line]] of Object.entries(failures)) {
  test(`the server does not start with ${what}, and says why in one line`, async () => {
    assert.match(await failureOf(routes), line);
  });
}

/** Why a server with these routes does not start. */
async function failureOf(routes: Routes): Promise<string> {
  try {
    await withRoutes(routes, async () => undefined);
  } catch (error) {
    return error instanceof Problem ? (error.detail ?? '') : String(error);
  }
  return '';
}

test.run();
