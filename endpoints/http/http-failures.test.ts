import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { order, withBakery } from '../testing/bakery.js';
import { openRaw, post, rawPost, send } from '../testing/http-client.js';
import { httpFailure } from './http-failures.js';
import { RequestDurations } from './request-durations.js';
import type { RouteAddition } from '../routes/http-server.js';

const test = suite('http failures');

const head = 'POST /bread HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** The server's answer to these bytes until it closes the connection. */
async function saidTo(bytes: string, http: { requestTimeoutMs?: number; headersTimeoutMs?: number } = {}) {
  const received: string[] = [];
  await withBakery({ http }, async ({ url }) => {
    const line = await openRaw(url);
    line.write(bytes);
    received.push(await line.closed);
    assert.is((await post(url, order)).status, 200, 'the next client is served');
  });
  const [answer = ''] = received;
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  const [status = '', ...headers] = top.split('\r\n');
  return { status, headers: headers.map((line) => line.toLowerCase()), body };
}

const codeIn = (body: string): string => (JSON.parse(body) as { type: string }).type;

for (const [what, bytes] of Object.entries({
  'bytes that are not HTTP': 'Have you any bread?\r\n\r\n',
  'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a method that does not exist': 'BAKE /bread HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a header without a name': `${head}: 1\r\n\r\n`,
  'a Content-Length that is not a number': `${head}Content-Length: many\r\n\r\n`,
  'two different lengths': `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length beside chunks': `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
  'a chunk without a size': `${head}Transfer-Encoding: chunked\r\n\r\nnone\r\n`,
  'a version from the future': 'POST /bread HTTP/9.9\r\nHost: localhost\r\n\r\n',
})) {
  test(`${what}: 400 as problem+json, and the connection is closed`, async () => {
    const { status, headers, body } = await saidTo(bytes);
    assert.is(status, 'HTTP/1.1 400 Bad Request');
    assert.ok(headers.includes('connection: close'));
    assert.ok(headers.includes('content-type: application/problem+json; charset=utf-8'));
    assert.ok(headers.includes(`content-length: ${Buffer.byteLength(body)}`));
    assert.is(codeIn(body), 'urn:svc:problem:malformed-request');
  });
}

test('a request without a Host header is answered 400', async () => {
  const { status } = await saidTo('POST /bread HTTP/1.1\r\nConnection: close\r\n\r\n');
  assert.is(status, 'HTTP/1.1 400 Bad Request');
});

test('a request with two Host headers is answered 400, even where both are the same', () =>
  withBakery({}, async ({ url }) => {
    for (const [asked, other] of [
      ['GET /nothing', 'localhost'],
      ['GET /%zz', 'localhost'],
      ['POST /bread', 'evil.test'],
    ] as const) {
      const line = await openRaw(url);
      line.write(`${asked} HTTP/1.1\r\nHost: localhost\r\nhOST: ${other}\r\nConnection: close\r\n\r\n`);
      assert.match(await line.closed, /^HTTP\/1\.1 400 .*:malformed-request"/s, asked);
    }
  }));

test('a request with two Authorization headers is answered 400, whichever is right', () =>
  withBakery({}, async ({ url }) => {
    const line = await openRaw(url);
    const twice = 'Authorization: Bearer a\r\nauthorization: Bearer b\r\n';
    line.write(`POST /bread HTTP/1.1\r\nHost: localhost\r\n${twice}Connection: close\r\n\r\n`);
    assert.match(await line.closed, /^HTTP\/1\.1 400 .*Send one Authorization header/s);
  }));

test('headers beyond the limit: 431 headers-too-large', async () => {
  const { status, body } = await saidTo(`${head}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.is(status, 'HTTP/1.1 431 Request Header Fields Too Large');
  assert.is(codeIn(body), 'urn:svc:problem:headers-too-large');
});

const short = { headersTimeoutMs: 200, requestTimeoutMs: 400 };

test('a body that does not arrive: 408 request-timeout', async () => {
  const { status, headers, body } = await saidTo(`${head}Content-Length: 50\r\n\r\n{"customer":`, short);
  assert.is(status, 'HTTP/1.1 408 Request Timeout');
  assert.is(codeIn(body), 'urn:svc:problem:request-timeout');
  assert.ok(headers.includes('connection: close'));
});

test('headers that do not arrive: 408 request-timeout', async () => {
  const { status, body } = await saidTo('POST /bread HTTP/1.1\r\nHost: loc', short);
  assert.is(status, 'HTTP/1.1 408 Request Timeout');
  assert.is(codeIn(body), 'urn:svc:problem:request-timeout');
});

test('headers have 7.5 seconds to arrive, and a whole request 15', async () => {
  const limits: (readonly number[])[] = [];
  const note = (message: unknown): void => {
    const { server } = (message as { fastify: FastifyInstance }).fastify;
    limits.push([server.headersTimeout, server.requestTimeout]);
  };
  subscribe('fastify.initialization', note);
  await withBakery({}, () => Promise.resolve());
  unsubscribe('fastify.initialization', note);
  assert.equal(limits, [[7_500, 15_000]]);
});

test('a body that is cut off in the middle affects no other request', () =>
  withBakery({}, async ({ url, server }) => {
    const line = await openRaw(url);
    line.write(`${head}Content-Length: 50\r\n\r\n{"customer":`);
    line.close();
    assert.is((await post(url, order)).status, 200);
    assert.is(server.active, 0);
  }));

test('a body that is cut off in the middle is a client error: 499, never an internal failure', async () => {
  const times = new RequestDurations();
  await withBakery({ http: { times } }, async ({ url }) => {
    const line = await openRaw(url);
    line.write(`${head}Content-Length: 50\r\n\r\n{"customer":`);
    line.close();
    await until(() => [...times.family.read()].length > 0);
  });
  const statuses = [...times.family.read()].map(({ labels }) => labels?.['http_response_status_code']);
  assert.equal(statuses, ['499']);
});

test('a path that is too long for an id is not found: 404', async () => {
  const addsRows: RouteAddition = (app) => app.get('/bread/:id', () => 'rye');
  await withBakery({ http: { routes: [addsRows] } }, async ({ url }) => {
    const path = `/bread/${'7'.repeat(3_100)}`;
    assert.is((await send(url, { method: 'GET', path })).status, 404);
  });
});

test('garbage after an answered request is answered 400, and closes the connection', async () => {
  const valid = rawPost('/bread', JSON.stringify(order));
  await withBakery({}, async ({ url }) => {
    const line = await openRaw(url);
    line.write(valid);
    await line.until(/batch/);
    line.write('!!!\r\n\r\n');
    const received = await line.closed;
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.match(received, /HTTP\/1\.1 400 /);
  });
});

test('other errors are passed through', () => {
  const error = new RangeError('odd');
  assert.is(httpFailure(error), error);
  assert.is(httpFailure('text'), 'text');
  const elsewhere = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  assert.is(httpFailure(elsewhere), elsewhere);
});
