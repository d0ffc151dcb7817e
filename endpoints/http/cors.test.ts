import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { RateLimit } from '../access/rate-limit.js';
import { TrustedProxies } from '../access/trusted-proxies.js';
import { closedAccess } from '../access/access.js';
import { type Kitchen, order, withBakery } from '../testing/bakery.js';
import { type Answered, post, refusalIn, send } from '../testing/http-client.js';
import { knownCallers } from '../testing/known-callers.js';
import type { CorsOptions } from '../service-definition.js';

const test = suite('cors');

const shop = 'https://shop.example';
const from = (origin: string) => ({ origin });

const withCors = (cors: CorsOptions, body: (url: string) => Promise<void>, http: Kitchen['http'] = {}) =>
  withBakery({ http: { ...http, cors } }, ({ url }) => body(url));

const preflight = (url: string, path: string, headers: Record<string, string>): Promise<Answered> =>
  send(url, { method: 'OPTIONS', path, headers: { 'access-control-request-method': 'POST', ...headers } });

const corsHeadersOf = ({ headers }: Answered): readonly string[] =>
  Object.keys(headers)
    .filter((name) => name.startsWith('access-control-'))
    .toSorted();

test('a page of an allowed origin may read the answers of commands, refusals and reads, and their headers', () =>
  withCors({ origins: [shop] }, async (url) => {
    const answers = [
      await post(url, order, { headers: from(shop) }),
      await post(url, { wrong: true }, { headers: from(shop) }),
      await post(url, { query: '{ __typename }' }, { path: '/graphql', headers: from(shop) }),
      await send(url, { method: 'GET', path: '/nothing', headers: from(shop) }),
    ];
    assert.equal(
      answers.map(({ status }) => status),
      [200, 422, 200, 404],
    );
    for (const answer of answers) {
      assert.is(answer.headers['access-control-allow-origin'], shop);
      assert.match(answer.headers['access-control-expose-headers'] ?? '', 'x-correlation-id');
      assert.is(answer.headers['access-control-allow-credentials'], undefined);
      assert.match(answer.headers.vary ?? '', 'Origin');
    }
  }));

test('a page of any other origin may read nothing, and caches keep the answers apart', () =>
  withCors({ origins: [shop] }, async (url) => {
    for (const origin of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example',
      'null',
    ]) {
      const answer = await post(url, order, { headers: from(origin) });
      assert.equal([corsHeadersOf(answer), answer.headers.vary], [[], 'Origin'], origin);
      const refused = await preflight(url, '/bread', from(origin));
      assert.equal([refusalIn(refused), corsHeadersOf(refused)], ['405 method-not-allowed', []], origin);
    }
    const without = await post(url, order);
    assert.equal([without.status, corsHeadersOf(without), without.headers.vary], [200, [], 'Origin']);
  }));

test('a preflight is answered with the methods of the path and the headers that it asks for, without credentials', () =>
  withCors(
    { origins: [shop] },
    async (url) => {
      const asked = { 'access-control-request-headers': 'authorization, idempotency-key,x-y' };
      const answer = await preflight(url, '/bread', { ...from(shop), ...asked });
      assert.is(answer.status, 204);
      assert.is(answer.headers['access-control-allow-origin'], shop);
      assert.is(answer.headers['access-control-allow-methods'], 'POST');
      assert.is(answer.headers['access-control-allow-headers'], 'authorization, idempotency-key, x-y');
      assert.is(answer.headers['access-control-max-age'], '600');
      const strange = { 'access-control-request-headers': 'a b, <script>, ok' };
      const other = await preflight(url, '/bread', { ...from(shop), ...strange });
      assert.is(other.headers['access-control-allow-headers'], 'ok');
      assert.is(refusalIn(await preflight(url, '/nothing', from(shop))), '404 not-found');
      const plain = await send(url, { method: 'OPTIONS', headers: from(shop) });
      assert.is(refusalIn(plain), '405 method-not-allowed');
    },
    { authentication: knownCallers() },
  ));

test('refusals of authentication and of the rate limit can be read, too', () =>
  withCors(
    { origins: [shop] },
    async (url) => {
      const denied = await post(url, order, { headers: from(shop) });
      assert.equal(
        [refusalIn(denied), denied.headers['access-control-allow-origin']],
        ['401 unauthenticated', shop],
      );
      const limited = await post(url, order, { headers: from(shop) });
      assert.equal(
        [refusalIn(limited), limited.headers['access-control-allow-origin']],
        ['429 rate-limited', shop],
      );
    },
    {
      authentication: knownCallers(),
      rateLimit: new RateLimit({ caller: { limit: 1, windowSeconds: 3_600 } }, new TrustedProxies()),
    },
  ));

test('with credentials the origin is named, and every site with credentials is refused at the start', async () => {
  await withCors({ origins: [shop], credentials: true }, async (url) => {
    const answer = await post(url, order, { headers: from(shop) });
    assert.is(answer.headers['access-control-allow-origin'], shop);
    assert.is(answer.headers['access-control-allow-credentials'], 'true');
  });
  await mustBeRefused(
    { origins: ['*'], credentials: true },
    /must name its origins when it allows credentials/,
  );
  await mustBeRefused(
    { origins: ['shop.example'] },
    /^An origin in cors must be '\*' or a scheme and a host/,
  );
});

test("with '*' every site may read, without a vary header", () =>
  withCors({ origins: ['*'] }, async (url) => {
    const answer = await post(url, order, { headers: from('https://any.example') });
    assert.is(answer.headers['access-control-allow-origin'], '*');
    assert.is(answer.headers.vary, undefined);
  }));

test('the pages of a host and the way to sign in stay closed to other sites', () =>
  withCors(
    { origins: [shop] },
    async (url) => {
      for (const path of ['/console/session', '/docs', '/machines']) {
        assert.equal(corsHeadersOf(await preflight(url, path, from(shop))), [], path);
        assert.equal(corsHeadersOf(await send(url, { method: 'GET', path, headers: from(shop) })), [], path);
      }
      // The router takes an encoded letter for the letter.
      const encoded = await post(
        url,
        {},
        { path: '/console/session'.replace('c', '%63'), headers: from(shop) },
      );
      assert.is.not(encoded.status, 404);
      assert.equal(corsHeadersOf(encoded), []);
      const signIn = { path: '/console/session', headers: { ...from(shop), 'sec-fetch-site': 'cross-site' } };
      assert.is(refusalIn(await post(url, { credential: 'x' }, signIn)), '403 access-denied');
    },
    { access: closedAccess },
  ));

async function mustBeRefused(cors: CorsOptions, line: RegExp): Promise<void> {
  try {
    await withCors(cors, async () => undefined);
    assert.unreachable();
  } catch (error) {
    assert.match(error instanceof Problem ? (error.detail ?? '') : String(error), line);
  }
}
