import * as assert from 'uvu/assert';
import { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, jsonOf, problemIn, refusalIn, send } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { type Routes, withOwnRoutes } from './testing/with-own-routes.js';

const test = suite('own routes');

const get = (url: string, path: string, headers: Record<string, string> = {}): Promise<Answered> =>
  send(url, { method: 'GET', path, headers });

test('an own route answers with the security headers and a correlation id', () =>
  withOwnRoutes(
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
  return withOwnRoutes(
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
  await withOwnRoutes(routes, async ({ url }) => assert.is((await get(url, '/open')).status, 200), {
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
  withOwnRoutes(
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

test('a body over the limit is refused, and a path without a route, and another method', () =>
  withOwnRoutes(
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
    /^POST \/bread is already a route of this host; give the route in your routes\(app\) another path$/,
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
    await withOwnRoutes(routes, async () => undefined);
  } catch (error) {
    return error instanceof Problem ? (error.detail ?? '') : String(error);
  }
  return '';
}
