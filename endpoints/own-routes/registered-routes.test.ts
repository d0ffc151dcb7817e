import * as assert from 'uvu/assert';
import { boolean, type Decode, int, object, optional, text } from '../../contracts/codec.js';
import { suite } from '../../contracts/testing/suite.js';
import { BakeBread, order } from '../testing/bakery.js';
import { type Answered, jsonOf, post, problemIn, refusalIn, send } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { type Routes, withOwnRoutes } from './testing/with-own-routes.js';
import { ownRoute, type RegisteredRoute, registeredRoute } from '../own-route.js';
import { withRegistered } from './registered-routes.js';

const test = suite('typed own routes');

interface Slice {
  readonly loaf: string;
  readonly slices?: number | undefined;
  readonly isToasted?: boolean | undefined;
}

const decodeSlice: Decode<Slice> = (value, path, faults) => {
  const from = object(value, path, faults) ?? {};
  return {
    loaf: text(from['loaf'], '/loaf', faults),
    slices: optional(from['slices'], '/slices', faults, int),
    isToasted: optional(from['isToasted'], '/isToasted', faults, boolean),
  };
};

const codec = { decode: decodeSlice, literals: ['slices', 'isToasted'] };
const path = '/loaves/:loaf/slices';
const handle = (slice: Slice): Slice => slice;

const find = registeredRoute(ownRoute({ method: 'GET', path, permission: 'public', handle }), codec);
const cut = registeredRoute(ownRoute({ method: 'POST', path, permission: 'public', handle }), {
  decode: decodeSlice,
});
const wipe = registeredRoute(
  ownRoute<void, void>({ method: 'DELETE', path: '/crumbs', permission: 'public', handle: () => undefined }),
  { encode: () => null },
);

const serving =
  (...routes: readonly RegisteredRoute[]): Routes =>
  (app) =>
    withRegistered(undefined, routes)?.(app);

const get = (url: string, at: string): Promise<Answered> => send(url, { method: 'GET', path: at });

test('a request has its fields from the path and the query, as numbers and booleans where it says so', () =>
  withOwnRoutes(serving(find, wipe), async ({ url }) => {
    const found = await get(url, '/loaves/caf%C3%A9%2F7/slices?slices=2&isToasted=true');
    assert.equal(jsonOf(found), { loaf: 'café/7', slices: 2, isToasted: true });
    assert.equal(jsonOf(await get(url, '/loaves/12/slices')), { loaf: '12' });
    const done = await send(url, { method: 'DELETE', path: '/crumbs' });
    assert.equal([done.status, done.text], [204, '']);
  }));

test('a request that is not valid is refused with every fault, and the handler is not called', () =>
  withOwnRoutes(serving(find), async ({ url }) => {
    for (const slices of ['two', '1e3', '0x2', '', '2&slices=3', '99999999999999999999']) {
      const answer = await get(url, `/loaves/rye/slices?slices=${slices}&isToasted=yes`);
      assert.is(refusalIn(answer), '422 invalid-command', slices);
      assert.equal(
        problemIn(answer).errors?.map(({ path: at }) => at),
        ['/slices', '/isToasted'],
      );
    }
  }));

test('a body is one object with the path, which wins; only JSON is taken', () =>
  withOwnRoutes(
    (app) => {
      app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_, body, done) => done(null, body));
      return serving(cut)(app);
    },
    async ({ url }) => {
      const at = '/loaves/rye/slices';
      const sent = await post(url, { loaf: 'mine', slices: 3 }, { path: at });
      assert.equal(jsonOf(sent), { loaf: 'rye', slices: 3 });
      assert.equal(jsonOf(await send(url, { path: at })), { loaf: 'rye' });
      assert.is(refusalIn(await post(url, [1], { path: at })), '422 invalid-command');
      const form = await send(url, { path: at, body: '{}', headers: { 'content-type': 'text/plain' } });
      assert.is(refusalIn(form), '415 unsupported-media-type');
    },
  ));

test('a page of another site cannot call a typed route without a body, unless CORS allows it', async () => {
  const origin = 'https://desk.example';
  const wiping = async (
    sent: Readonly<Record<string, string>>,
    origins?: readonly string[],
  ): Promise<number> => {
    let status = 0;
    await withOwnRoutes(
      serving(wipe, find),
      async ({ url }) => {
        ({ status } = await send(url, { method: 'DELETE', path: '/crumbs', headers: sent }));
        const read = await send(url, { method: 'GET', path: '/loaves/rye/slices', headers: sent });
        assert.is(read.status, 200);
      },
      { http: origins === undefined ? {} : { cors: { origins } } },
    );
    return status;
  };
  assert.is(await wiping({ origin }), 403);
  assert.is(await wiping({ 'sec-fetch-site': 'cross-site' }), 403);
  assert.is(await wiping({ origin }, ['https://shop.example']), 403);
  assert.is(await wiping({ origin }, [origin]), 204);
  assert.is(await wiping({}), 204);
});

test('a typed route asks for its permission, and dispatches commands on behalf of its caller', () => {
  const bake = ownRoute<void, unknown>({
    method: 'POST',
    path: '/orders',
    permission: 'authenticated',
    handle: (_, http) => http.dispatch(BakeBread.of(order)),
  });
  const undeclared = ownRoute<void, string>({ method: 'GET', path: '/open', handle: () => 'open' });
  return withOwnRoutes(
    serving(registeredRoute(bake, {}), registeredRoute(undeclared, {})),
    async ({ url }) => {
      assert.is(refusalIn(await send(url, { path: '/orders' })), '401 unauthenticated');
      assert.is(refusalIn(await get(url, '/open')), '401 unauthenticated');
      const baked = await send(url, { path: '/orders', headers: bearing('guest') });
      assert.is(baked.status, 200, baked.text);
    },
    { http: { authentication: knownCallers() }, permissions: { BakeBread: 'authenticated' } },
  );
});
