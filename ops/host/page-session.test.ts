import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { suite } from '../../contracts/testing/suite.js';
import { order } from '../../endpoints/testing/bakery.js';
import { post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { bearing } from '../../endpoints/testing/known-callers.js';
import { cookieIn, fromPage, session, withSigning } from '../testing/signed-pages.js';

const test = suite('signing in to pages');

test('a credential becomes a cookie that no script and no other site can use', () =>
  withSigning(async ({ url, signIn }) => {
    const answer = await signIn('observer');
    assert.equal([answer.status, answer.text], [200, '{"user":"eve"}']);
    const name = `svc-session-${new URL(url).port}`;
    assert.equal(answer.headers['set-cookie'], [`${name}=observer; Path=/; HttpOnly; SameSite=Strict`]);
    assert.is(answer.headers['cache-control'], 'no-store');
    const encrypted = await signIn('observer', { 'x-forwarded-proto': 'https' });
    assert.match(String(encrypted.headers['set-cookie']), /; Secure$/);
  }));

test('the cookie opens the pages and nothing else', () =>
  withSigning(async ({ url, signIn, get }) => {
    const cookie = cookieIn(await signIn('operator'));
    for (const path of ['/docs', '/openapi.json', '/console', '/console/api/host'])
      assert.is((await get(path, cookie)).status, 200, path);
    assert.is((await get(session, cookie)).text, '{"user":"Ada Lovelace"}');
    assert.is(refusalIn(await post(url, order, { headers: cookie })), '401 unauthenticated', 'no commands');
    const own = { ...cookie, ...fromPage(url) };
    assert.is(refusalIn(await post(url, order, { headers: own })), '401 unauthenticated');
  }));

test('with a cookie, acting is for our own pages only', () =>
  withSigning(async ({ url, signIn, act }) => {
    const cookie = cookieIn(await signIn('operator'));
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'http://localhost:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: url },
    ] as Record<string, string>[])
      assert.is(
        refusalIn(await act({ ...cookie, ...headers })),
        '403 access-denied',
        JSON.stringify(headers),
      );
    const form = { ...cookie, ...fromPage(url), 'content-type': 'text/plain' };
    assert.is(refusalIn(await act(form)), '415 unsupported-media-type');
    assert.is((await act({ ...cookie, ...fromPage(url) })).status, 200);
    assert.is((await act({ ...cookie, origin: url })).status, 200, 'an older browser');
    assert.is((await act(bearing('operator'))).status, 200, 'a program sends no cookie');
  }));

test('a page of another origin cannot look with the cookie', () =>
  withSigning(async ({ signIn, get }) => {
    const cookie = cookieIn(await signIn('observer'));
    const headers = { ...cookie, origin: 'http://localhost:1' };
    assert.is(refusalIn(await get('/console/api/host', headers)), '403 access-denied');
  }));

test('a revoked credential ends the session', () =>
  withSigning(async ({ authentication, signIn, get }) => {
    const cookie = cookieIn(await signIn('observer'));
    authentication.revoked.add('observer');
    assert.is(refusalIn(await get('/console/api/host', cookie)), '401 unauthenticated');
    assert.is((await get(session, cookie)).text, '{"user":null}');
  }));

test('a revoked credential also ends what it opened', () =>
  withSigning(async ({ url, authentication, signIn }) => {
    const headers = cookieIn(await signIn('observer'));
    const response = await fetch(`${url}/console/stream`, { headers });
    assert.is(response.status, 200);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/inspect`, { headers });
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    authentication.revoked.add('observer');
    await response.text();
    assert.is(await closed, 1008);
  }));

test('what does not allow looking signs nobody in', () =>
  withSigning(async ({ signIn }) => {
    for (const credential of ['nonsense', '', ' ', 'a\r\nb', 7, null, { a: 1 }]) {
      const answer = await signIn(credential);
      assert.is(refusalIn(answer), '401 unauthenticated', JSON.stringify(credential));
      assert.is(answer.headers['set-cookie'], undefined);
    }
    assert.is(refusalIn(await signIn('guest')), '403 access-denied');
  }));

test('another site cannot sign a browser in or out', () =>
  withSigning(async ({ url, signIn }) => {
    assert.is(refusalIn(await signIn('observer', { origin: 'https://evil.example' })), '403 access-denied');
    const form = { 'content-type': 'text/plain' };
    assert.is(refusalIn(await signIn('observer', form)), '415 unsupported-media-type');
    const headers = { 'sec-fetch-site': 'cross-site' };
    assert.is(refusalIn(await send(url, { method: 'DELETE', path: session, headers })), '403 access-denied');
  }));

test('signing out removes the cookie', () =>
  withSigning(async ({ url }) => {
    const { status, headers } = await send(url, { method: 'DELETE', path: session });
    assert.is(status, 200);
    assert.match(String(headers['set-cookie']), /=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/);
  }));

test('who guesses is refused after ten attempts a minute, others are not', () =>
  withSigning(
    async ({ signIn }) => {
      const by = (address: string) => ({ 'x-forwarded-for': address });
      for (let n = 0; n < 10; n++) assert.is((await signIn(`guess-${n}`, by('1.1.1.1'))).status, 401);
      const refused = await signIn('guess-11', by('1.1.1.1'));
      assert.is(refusalIn(refused), '429 rate-limited');
      assert.ok(['1', '2'].includes(refused.headers['retry-after'] ?? ''));
      assert.is((await signIn('observer', by('1.1.1.2'))).status, 200);
    },
    {},
    () => 0,
  ));

test('a browser without credentials gets a form, a program does not', () =>
  withSigning(async ({ get }) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const [path, to] of [
      ['/docs', 'console/session'],
      ['/console', 'console/session'],
      ['/docs/script.js?a=/b', '../console/session'],
    ] as const) {
      const { status, headers, text } = await get(path, { accept });
      assert.equal([status, headers['content-type']], [401, 'text/html; charset=utf-8'], path);
      assert.match(text, `data-session="${to}"`);
      assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'sha256-/);
    }
    const refused = await get('/docs', { accept, ...bearing('guest') });
    assert.is(refused.status, 403);
    assert.match(refused.text, 'You lack the permission');
    assert.is(refusalIn(await get('/docs', { accept: '*/*' })), '401 unauthenticated');
  }));

test('the cookie opens the GraphQL page, and no document', () =>
  withSigning(async ({ url, signIn, get }) => {
    const accept = 'text/html';
    assert.is((await get('/graphql', { accept })).headers['content-type'], 'text/html; charset=utf-8');
    assert.is((await get('/graphql', { accept })).status, 401);
    const cookie = cookieIn(await signIn('observer'));
    assert.is((await get('/graphql', { accept, ...cookie })).status, 200);
    const query = '/graphql?query={__typename}';
    assert.is(refusalIn(await get(query, cookie)), '401 unauthenticated');
    const headers = { ...cookie, ...fromPage(url) };
    const asked = await post(url, { query: '{ __typename }' }, { path: '/graphql', headers });
    assert.is(refusalIn(asked), '401 unauthenticated');
    assert.is((await get(query, bearing('observer'))).status, 200);
  }));

test('a token with any characters survives the cookie', () =>
  withSigning(
    async ({ signIn, get }) => {
      const cookie = cookieIn(await signIn('let me; look=%ä'));
      assert.is((await get('/console/api/host', cookie)).status, 200);
    },
    { inspect: 'let me; look=%ä' },
  ));
