import type { IncomingHttpHeaders } from 'node:http';
import * as assert from 'uvu/assert';
import { identityFrom, type IdentityInit } from '../../contracts/identity.js';
import { suite } from '../../contracts/testing/suite.js';
import { docsRoutes } from '../routes/openapi.js';
import { healthRoutes } from '../routes/health.js';
import { order, withBakery } from '../testing/bakery.js';
import { jsonOf, post, refusalIn, send } from '../testing/http-client.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { RateLimit } from './rate-limit.js';
import { Tokens } from './tokens.js';
import { TrustedProxies } from './trusted-proxies.js';

const test = suite('rate limit');

const paths = { live: '/health/live', ready: '/health/ready', details: '/health' };
const probes = healthRoutes('north', { state: 'watching', results: [] }, paths);
const limitOf = (limit: number, proxies = new TrustedProxies()) =>
  new RateLimit({ caller: { limit, windowSeconds: 60 } }, proxies, () => 0);
const bun = { who: 'Ada' };

test('there is none unless it is set', async () => {
  await withBakery({}, async ({ url }) => {
    for (let n = 0; n < 30; n++) {
      const { status, headers } = await post(url, order);
      assert.equal([status, headers['ratelimit'], headers['ratelimit-policy']], [200, undefined, undefined]);
    }
  });
});

test('an address that sends too much is refused, and every answer says what is left', async () => {
  await withBakery({ http: { rateLimit: limitOf(2), routes: [probes] } }, async ({ url }) => {
    const first = await post(url, order);
    assert.is(first.status, 200);
    assert.is(first.headers['ratelimit-policy'], '"default";q=2;w=60');
    assert.is(first.headers['ratelimit'], '"default";r=1;t=30');
    assert.is((await send(url, { method: 'GET', path: '/nothing' })).status, 404);
    const refused = await post(url, order);
    assert.is(refusalIn(refused), '429 rate-limited');
    assert.is(refused.headers['retry-after'], '30');
    assert.is(refused.headers['ratelimit'], '"default";r=0;t=60');
    assert.is(
      (await send(url, { method: 'GET', path: '/health/ready' })).status,
      200,
      'a probe is not limited',
    );
  });
});

test('callers are limited by who they are, not by where they are', async () => {
  const rateLimit = limitOf(2);
  const authentication = { ...knownCallers(), rateLimit };
  const access = { tokens: new Tokens(), localOnly: false, authentication };
  const routes = [(app: Parameters<typeof docsRoutes>[0]) => docsRoutes(app, '{}', { access })];
  await withBakery({ http: { rateLimit, authentication, routes } }, async ({ url }) => {
    const as = (name: string) => post(url, bun, { path: '/bun', headers: bearing(name) });
    const docs = () => send(url, { method: 'GET', path: '/docs', headers: bearing('operator') });
    assert.is((await as('operator')).status, 200);
    assert.is((await docs()).status, 200, 'pages count as well');
    assert.is((await as('operator')).status, 429);
    assert.is((await docs()).status, 429);
    assert.is((await as('guest')).status, 200);
    assert.is((await post(url, bun, { path: '/bun' })).status, 200, 'nobody is limited by address');
    const nowhere = () => send(url, { method: 'GET', path: '/nowhere', headers: bearing('guest') });
    assert.is((await nowhere()).status, 404);
    assert.is((await nowhere()).status, 429, 'where no credentials are checked, the address counts');
  });
});

const permittedAs = (identity: IdentityInit) => ({
  authorization: `Bearer ${Buffer.from(JSON.stringify(identity)).toString('base64url')}`,
});

const writtenIdentities = () => ({
  guard: knownCallers().guard,
  identify: ({ headers: { authorization = '' } }: { readonly headers: IncomingHttpHeaders }) =>
    identityFrom(JSON.parse(Buffer.from(authorization.slice(7), 'base64url').toString()) as IdentityInit),
});

test('no caller uses up the limit of another', async () => {
  const rateLimit = limitOf(1, new TrustedProxies(['127.0.0.1']));
  const authentication = { ...writtenIdentities(), rateLimit };
  await withBakery({ http: { rateLimit, authentication } }, async ({ url }) => {
    const as = async (identity: IdentityInit, address: string) => {
      const headers = { ...permittedAs(identity), 'x-forwarded-for': address };
      return (await post(url, bun, { path: '/bun', headers })).status;
    };
    const north = { source: 'jwt:login.example', scope: { tenantId: 'a b', userId: 'c' } };
    const south = { source: 'jwt:login.example', scope: { tenantId: 'a', userId: 'b c' } };
    assert.equal([await as(north, '1.1.1.1'), await as(south, '1.1.1.1')], [200, 200], 'tenants');
    assert.is(await as(north, '1.1.1.2'), 429);
    const program = { source: 'jwt:login.example' };
    assert.equal([await as(program, '1.1.1.3'), await as(program, '1.1.1.4')], [200, 200], 'without a user');
    assert.is(await as(program, '1.1.1.3'), 429);
  });
});

test('all callers of a tenant together are limited, and what one may not send takes nothing from the others', async () => {
  const minute = (limit: number) => ({ limit, windowSeconds: 60 });
  const rateLimit = new RateLimit({ caller: minute(2), tenant: minute(3) }, new TrustedProxies(), () => 0);
  const authentication = { ...writtenIdentities(), rateLimit };
  await withBakery({ http: { rateLimit, authentication } }, async ({ url }) => {
    const as = (tenantId: string, userId: string) => {
      const headers = permittedAs({ source: 'jwt:login.example', scope: { tenantId, userId } });
      return post(url, bun, { path: '/bun', headers });
    };
    const first = await as('north', 'ann');
    assert.is(first.headers['ratelimit-policy'], '"default";q=2;w=60, "tenant";q=3;w=60');
    assert.is(first.headers['ratelimit'], '"default";r=1;t=30, "tenant";r=2;t=20');
    await as('north', 'ann');
    assert.is((await as('north', 'ann')).headers['ratelimit'], '"default";r=0;t=60, "tenant";r=1;t=40');
    assert.is((await as('north', 'bob')).status, 200);
    const refused = await as('north', 'cem');
    assert.is(refusalIn(refused), '429 rate-limited');
    assert.match(refused.text, 'Your tenant sends too many requests');
    assert.is((await as('south', 'dan')).status, 200);
  });
});

test('each mutation of a GraphQL document counts as a request', async () => {
  const callers = knownCallers();
  for (const authentication of [undefined, { ...callers, rateLimit: limitOf(3) }]) {
    const rateLimit = authentication?.rateLimit ?? limitOf(3);
    await withBakery({ http: { rateLimit, authentication } }, async ({ url }) => {
      const query = 'mutation { a: openBakery b: openBakery c: openBakery d: openBakery e: openBakery }';
      const headers = authentication === undefined ? {} : bearing('guest');
      const answer = await post(url, { query }, { path: '/graphql', headers });
      assert.is(answer.text.split('rate-limited').length - 1, 2, answer.text);
      assert.is(answer.headers['ratelimit'], '"default";r=0;t=60');
    });
  }
});

test('who signs in is limited by address, whatever credentials the headers have', async () => {
  const rateLimit = limitOf(2);
  const authentication = { ...knownCallers(), rateLimit };
  const access = { tokens: new Tokens(), localOnly: false, authentication };
  await withBakery({ http: { rateLimit, authentication, access } }, async ({ url }) => {
    const signIn = (n: number) =>
      post(url, { credential: 'operator' }, { path: '/console/session', headers: bearing(`any-${n}`) });
    assert.equal([(await signIn(1)).status, (await signIn(2)).status], [200, 200]);
    assert.is(refusalIn(await signIn(3)), '429 rate-limited');
  });
});

test('behind a trusted proxy every client has its own limit', async () => {
  const proxies = new TrustedProxies(['127.0.0.1']);
  await withBakery({ http: { rateLimit: limitOf(1, proxies) } }, async ({ url }) => {
    const by = (address: string) => post(url, order, { headers: { 'x-forwarded-for': address } });
    assert.is((await by('203.0.113.5')).status, 200);
    assert.is((await by('203.0.113.6')).status, 200);
    assert.is((await by('203.0.113.5')).status, 429);
  });
});

test('without trusted proxies nobody gets a new limit by a header', async () => {
  await withBakery({ http: { rateLimit: limitOf(1) } }, async ({ url }) => {
    const by = (address: string) => post(url, order, { headers: { 'x-forwarded-for': address } });
    assert.is((await by('203.0.113.5')).status, 200);
    assert.is((await by('203.0.113.6')).status, 429);
  });
});

test('only an encrypted connection asks browsers to stay encrypted', async () => {
  const access = { tokens: new Tokens(), localOnly: false, proxies: new TrustedProxies(['127.0.0.1']) };
  await withBakery({ http: { access } }, async ({ url }) => {
    const by = (headers: Record<string, string>) => post(url, order, { headers });
    const encrypted = await by({ 'x-forwarded-proto': 'https' });
    assert.is(encrypted.headers['strict-transport-security'], 'max-age=31536000');
    assert.is((await by({})).headers['strict-transport-security'], undefined);
    assert.ok(jsonOf(encrypted));
  });
});
