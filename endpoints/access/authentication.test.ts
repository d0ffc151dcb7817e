import * as assert from 'uvu/assert';
import { type AccessOrigin, type Identity, identityFrom } from '../../contracts/identity.js';
import type { MutationContext } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { collect } from '../../runtime/kit/collect.js';
import { AccessGuard } from '../../runtime/access/access-guard.js';
import { order, withBakery } from '../testing/bakery.js';
import { jsonOf, post, send } from '../testing/http-client.js';
import type { Authentication } from './authentication.js';

const test = suite('authentication of requests');

const identities: Record<string, Identity> = {
  baker: identityFrom({
    source: 'test',
    scope: { tenantId: 'north', userId: 'ada' },
    permissions: ['bread:bake'],
  }),
  guest: identityFrom({ source: 'test', scope: { userId: 'bob' }, permissions: ['bread:eat'] }),
};

/** Knows its callers by the word after Bearer; a promise for every second one. */
function authenticating(seen: string[] = []): Authentication {
  return {
    identify: ({ headers: { authorization } }) => {
      const name = authorization?.replace('Bearer ', '');
      if (name === undefined) return null;
      const identity = identities[name];
      if (identity === undefined) throw new Problem('unauthenticated');
      return name === 'guest' ? Promise.resolve(identity) : identity;
    },
    guard: new AccessGuard({
      established: () => undefined,
      granted: ({ scope }, { value }, { type }) => seen.push(`granted ${scope.userId} ${value} ${type}`),
      denied: (by, { value }, { type }, reason) =>
        seen.push(`denied ${by?.scope.userId ?? 'nobody'} ${value} ${type} ${reason}`),
    }),
  };
}

const as = (name: string, path: string) => ({ path, headers: { authorization: `Bearer ${name}` } });

test('a command needs the permission that it declares', async () => {
  const seen: string[] = [];
  await withBakery({ http: { authentication: authenticating(seen) } }, async ({ url }) => {
    assert.is((await post(url, order, as('baker', '/bread'))).status, 200);
    assert.is((await post(url, order, as('guest', '/bread'))).status, 403);
    assert.is((await post(url, order, { path: '/bread' })).status, 401);
    assert.is((await post(url, order, as('nobody-knows', '/bread'))).status, 401);
  });
  assert.equal(seen, [
    'granted ada bread:bake BakeBread',
    'denied bob bread:bake BakeBread InsufficientPermission',
    'denied nobody bread:bake BakeBread NotAuthenticated',
    'denied nobody bread:bake BakeBread NotAuthenticated',
  ]);
});

test('wrong credentials are an event where any identity or none is needed, too', async () => {
  const seen: string[] = [];
  await withBakery({ http: { authentication: authenticating(seen) } }, async ({ url }) => {
    for (const path of ['/cake', '/bun']) {
      await post(url, { who: 'Ada', ...order }, { path });
      await post(url, { who: 'Ada', ...order }, as('nobody-knows', path));
    }
  });
  assert.equal(seen, [
    'denied nobody svc:authenticated BakeCake NotAuthenticated',
    'denied nobody svc:authenticated BakeBun NotAuthenticated',
  ]);
});

test('an answer and the events of its request have the same correlation id', async () => {
  const seen: (string | undefined)[] = [];
  const note = (origin: AccessOrigin | undefined) => seen.push(origin?.correlationId);
  const { identify } = authenticating();
  const guard = new AccessGuard({
    established: () => undefined,
    granted: (_by, _permission, _resource, _filter, origin) => note(origin),
    denied: (_by, _permission, _resource, _reason, origin) => note(origin),
  });
  await withBakery({ http: { authentication: { identify, guard } } }, async ({ url }) => {
    const story = { 'x-correlation-id': 'story-7' };
    const answers = [
      await post(url, order, as('baker', '/bread')),
      await post(url, order, as('guest', '/bread')),
      await post(url, order, as('nobody-knows', '/bread')),
      await post(url, order, { path: '/bread' }),
      await post(url, order, { path: '/bread', headers: { ...as('baker', '').headers, ...story } }),
    ];
    assert.equal(
      seen,
      answers.map(({ headers }) => headers['x-correlation-id']),
    );
    assert.is(seen.at(-1), 'story-7');
    assert.is(new Set(seen).size, 5);
  });
});

test('an authenticated command needs any identity, a public one none', async () => {
  await withBakery({ http: { authentication: authenticating() } }, async ({ url }) => {
    assert.is((await post(url, order, as('guest', '/cake'))).status, 200);
    assert.is((await post(url, order, { path: '/cake' })).status, 401);
    assert.is((await post(url, { who: 'Ada' }, { path: '/bun' })).status, 200);
    assert.is((await post(url, { who: 'Ada' }, as('nobody-knows', '/bun'))).status, 401);
  });
});

test('a refusal reveals nothing, and comes before the body is read', async () => {
  await withBakery({ http: { authentication: authenticating() } }, async ({ url }) => {
    for (const [asked, status, type] of [
      [{ path: '/bread' }, 401, 'unauthenticated'],
      [as('guest', '/bread'), 403, 'access-denied'],
    ] as const) {
      const answer = await send(url, { ...asked, body: '{"broken' });
      assert.is(answer.status, status);
      assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/);
      assert.is(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined);
      assert.is((jsonOf(answer) as { type: string }).type, `urn:svc:problem:${type}`);
      // An id may contain any hexadecimal digits.
      const { correlationId: _, ...said } = jsonOf(answer) as Record<string, unknown>;
      assert.not.match(JSON.stringify(said), /bread:|BakeBread|ada|north/);
    }
  });
});

test('hooks see who calls, and the headers without credentials', async () => {
  let seen: MutationContext | undefined;
  const before = (_: unknown, context: MutationContext) => void (seen = context);
  await withBakery({ http: { authentication: authenticating() }, before }, async ({ url }) => {
    const headers = {
      ...as('baker', '/bread').headers,
      'proxy-authorization': 'Basic YTpi',
      cookie: 'a=b',
      'x-api-key': 'k',
      'X-Secret': 's',
      'X-Shop': '7',
    };
    assert.is((await post(url, order, { path: '/bread', headers })).status, 200);
  });
  assert.is(seen?.identity?.scope.userId, 'ada');
  assert.is(seen?.scope.tenantId, 'north');
  const { headers = {} } = seen ?? {};
  assert.is(headers['x-shop'], '7');
  for (const name of ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-secret'])
    assert.not(name in headers, name);
  assert.ok(Object.isFrozen(headers));
});

test('the events of a command carry the scope of its caller', async () => {
  await withBakery({ http: { authentication: authenticating() } }, async ({ url, store }) => {
    await post(url, order, as('baker', '/bread'));
    const stored = await collect(store.readAll({ after: 0 }));
    assert.equal(
      stored.map(({ scope }) => scope?.['tenantId']),
      ['north'],
    );
  });
});
