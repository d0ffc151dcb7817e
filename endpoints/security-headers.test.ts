import * as assert from 'uvu/assert';
import { suite } from '../contracts/testing/suite.js';
import { version } from '../runtime/lang/version.js';
import { order, withBakery } from './testing/bakery.js';
import { type Answered, openRaw, post, send } from './testing/http-client.js';
import { docsRoutes } from './routes/openapi.js';
import { healthRoutes } from './routes/health.js';
import { createStartupServer } from './routes/startup-server.js';
import { nameRevision, securityHeaders } from './security-headers.js';

const test = suite('security headers');

const expected = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'svc-revision': securityHeaders['svc-revision'],
};
const closed = "default-src 'none'; frame-ancestors 'none'";
const probes = healthRoutes(
  'north',
  { state: 'watching', results: [] },
  {
    live: '/health/live',
    ready: '/health/ready',
    details: '/health',
  },
);

function mustBeSecured({ headers }: Pick<Answered, 'headers'>, what: string): void {
  for (const [name, value] of Object.entries(expected)) assert.is(headers[name], value, `${name} of ${what}`);
}

test('every answer has them, and what is not a page may load nothing', async () => {
  await withBakery({ http: { routes: [probes] } }, async ({ url }) => {
    const answers = {
      command: await post(url, order),
      refusal: await post(url, {}),
      'malformed body': await send(url, { body: '{', headers: { 'content-type': 'application/json' } }),
      'unknown path': await send(url, { method: 'GET', path: '/nothing' }),
      probe: await send(url, { method: 'GET', path: '/health/live' }),
    };
    for (const [what, answer] of Object.entries(answers)) {
      mustBeSecured(answer, what);
      assert.is(answer.headers['content-security-policy'], closed, what);
      assert.is(answer.headers['strict-transport-security'], undefined, 'the connection is not encrypted');
    }
  });
});

test('a page has its own policy, which nobody may frame', async () => {
  const routes = [(app: Parameters<typeof docsRoutes>[0]) => docsRoutes(app, '{}')];
  await withBakery({ http: { routes } }, async ({ url }) => {
    const page = await send(url, { method: 'GET', path: '/docs' });
    mustBeSecured(page, 'page');
    assert.match(
      String(page.headers['content-security-policy']),
      /script-src 'self'.*frame-ancestors 'none'/,
    );
  });
});

test('a request that cannot be parsed is answered with them', async () => {
  await withBakery({}, async ({ url }) => {
    const connection = await openRaw(url);
    connection.write('NONSENSE\r\n\r\n');
    const answer = await connection.closed;
    for (const [name, value] of Object.entries(expected)) assert.match(answer, `${name}: ${value}`);
  });
});

test('a host that cannot serve yet sends them', async () => {
  const server = createStartupServer(probes);
  const url = await server.listen(0, '127.0.0.1');
  try {
    for (const path of ['/health/ready', '/orders'])
      mustBeSecured(await send(url, { method: 'GET', path }), path);
  } finally {
    await server.close();
  }
});

test('without a name from outside, the version of the service is the revision, else that of the library', async () => {
  try {
    for (const [own, named] of [
      ['7.1.0', '7.1.0'],
      ['7.1.0\r\nx: y', version],
      [undefined, version],
    ] as const) {
      nameRevision(own);
      await withBakery({}, async ({ url }) => {
        const answers = [await post(url, order), await send(url, { method: 'GET', path: '/nothing' })];
        assert.equal(
          answers.map(({ headers }) => headers['svc-revision']),
          [named, named],
        );
      });
    }
  } finally {
    nameRevision(undefined);
  }
});
