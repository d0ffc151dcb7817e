import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens, type TokenSettings } from '../../endpoints/access/tokens.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { lifecycleMachine } from '../../endpoints/lifecycle/lifecycle-machine.js';
import { healthAccess, healthRoutes } from '../../endpoints/routes/health.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { machineRoutes } from '../../endpoints/routes/machines.js';
import { metricsRoute } from '../../endpoints/routes/metrics.js';
import { withBakery } from '../../endpoints/testing/bakery.js';
import { post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { bearing, knownCallers } from '../../endpoints/testing/known-callers.js';
import { createMetrics } from '../../runtime/metrics/metrics.js';
import { consoleFiles } from '../console/server/page-files.js';
import { consoleRoutes } from '../console/server/routes.js';
import { consoleOf, type ScriptedHost, scriptedHost } from '../testing/scripted-host.js';

const test = suite('access to pages');

const paths = { live: '/health/live', ready: '/health/ready', details: '/health' };
const check = { name: 'store', tags: [], status: 'Healthy', detail: null, latencyMs: 1, since: '' } as const;
const pages = [
  ...['/health', '/metrics', '/docs', '/docs/script.js', '/openapi.json', '/machines', '/console'],
  ...['/console/app.js', '/console/api/host', '/console/api/hosts', '/machines/lifecycle'],
];
const rebuild = '/console/api/perspectives/breads/release';

interface Pages {
  readonly url: string;
  readonly host: ScriptedHost;
  readonly authentication: ReturnType<typeof knownCallers>;
}

async function withPages(
  body: (pages: Pages) => Promise<void>,
  tokens: TokenSettings = {},
  { authenticates = true } = {},
): Promise<void> {
  const authentication = knownCallers();
  const own = authenticates ? { authentication } : {};
  const access = { tokens: new Tokens(tokens), localOnly: false, ...own };
  const host = scriptedHost();
  const board = { state: 'watching', results: [check] } as const;
  const inspector = new Inspector(new Inspection({ host: 'oven-1' }).feed, { access });
  const { add, close } = consoleRoutes(consoleOf(host), consoleFiles(), access);
  const routes = [
    healthRoutes('north', board, paths, healthAccess(access)),
    metricsRoute(createMetrics(), access),
    machineRoutes([{ name: 'lifecycle', machine: lifecycleMachine }], access),
    inspector.route,
    add,
  ];
  const http = { routes, ...own, access, openApi: '{}' };
  await withBakery({ http }, ({ url }) => body({ url, host, authentication })).finally(() => {
    inspector.stop();
    close();
  });
}

const get = (url: string, path: string, headers: Record<string, string> = {}) =>
  send(url, { method: 'GET', path, headers });

test('with authentication, looking needs svc:observe, on this machine as well', () =>
  withPages(async ({ url, authentication }) => {
    for (const path of pages) {
      assert.is(refusalIn(await get(url, path)), '401 unauthenticated', path);
      assert.is(refusalIn(await get(url, path, bearing('guest'))), '403 access-denied', path);
      assert.is((await get(url, path, bearing('observer'))).status, 200, path);
    }
    for (const type of ['health', 'metrics', 'docs', 'machines', 'console']) {
      assert.ok(authentication.decided.includes(`granted eve svc:observe ${type}`), type);
      assert.ok(authentication.decided.includes(`denied bob svc:observe ${type}`), type);
      assert.ok(authentication.decided.includes(`denied nobody svc:observe ${type}`), type);
    }
  }));

test('liveness and the status of readiness are open; the checks are for those who may observe', () =>
  withPages(async ({ url, authentication }) => {
    assert.is((await get(url, paths.live)).status, 200);
    for (const headers of [{}, bearing('guest'), bearing('wrong')])
      assert.is((await get(url, paths.ready, headers)).text, '{"status":"Healthy"}');
    assert.match((await get(url, paths.ready, bearing('observer'))).text, '"name":"store"');
    const nobody = authentication.decided.filter((decision) => decision.startsWith('denied nobody'));
    assert.equal(nobody, ['denied nobody svc:observe health'], 'a probe without credentials is no attempt');
  }));

test('acting needs svc:operate, and the audit names who acted', () =>
  withPages(async ({ url, host }) => {
    const act = (headers = {}) => post(url, {}, { path: rebuild, headers });
    assert.is(refusalIn(await act()), '401 unauthenticated');
    assert.is(refusalIn(await act(bearing('guest'))), '403 access-denied');
    assert.is(refusalIn(await act(bearing('observer'))), '403 access-denied');
    assert.equal(host.actions, []);
    assert.is((await act(bearing('operator'))).status, 200);
    assert.equal(host.actions, ['release breads']);
    assert.equal(host.operators, ['release breads by ada, without a reason']);
  }));

test('with authentication the tokens still open looking and acting', () =>
  withPages(
    async ({ url, host }) => {
      for (const path of pages)
        for (const token of ['look', 'act']) assert.is((await get(url, path, bearing(token))).status, 200);
      assert.is((await get(url, '/console/api/host?t=look')).status, 200);
      const act = (headers: Record<string, string>) => post(url, {}, { path: rebuild, headers });
      assert.is(refusalIn(await act(bearing('look'))), '401 unauthenticated');
      assert.is((await act(bearing('act'))).status, 200);
      assert.match(host.operators[0] ?? '', 'by operator-token');
    },
    { inspect: 'look', operator: 'act' },
  ));

test('a token for looking is required where nobody authenticates, too', () =>
  withPages(
    async ({ url }) => {
      for (const path of ['/health', '/metrics', '/docs', '/openapi.json', '/machines']) {
        assert.is(refusalIn(await get(url, path)), '401 unauthenticated', path);
        assert.is((await get(url, path, bearing('wrong'))).status, 401, path);
        for (const token of ['look', 'act']) assert.is((await get(url, path, bearing(token))).status, 200);
      }
      assert.is((await get(url, '/metrics?t=look')).status, 200);
      assert.is((await get(url, paths.live)).status, 200);
      assert.is((await get(url, paths.ready)).text, '{"status":"Healthy"}');
      assert.match((await get(url, paths.ready, bearing('look'))).text, '"name":"store"');
      const page = await get(url, '/docs', { accept: 'text/html' });
      assert.equal([page.status, /<form/.test(page.text)], [401, true], 'a browser signs in');
    },
    { inspect: 'look', operator: 'act' },
    { authenticates: false },
  ));

test('without a token for looking and without authentication, they are open', () =>
  withPages(
    async ({ url }) => {
      for (const path of ['/health', '/metrics', '/docs', '/openapi.json'])
        assert.is((await get(url, path)).status, 200, path);
    },
    { operator: 'act' },
    { authenticates: false },
  ));

test('an inspector needs svc:observe', () =>
  withPages(async ({ url }) => {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    assert.is((await get(url, '/inspect', upgrade)).status, 401);
    assert.is((await get(url, '/inspect', { ...upgrade, ...bearing('guest') })).status, 403);
  }));

test('a token of the pages is no credential for commands', () =>
  withPages(
    async ({ url }) => {
      assert.is((await post(url, {}, { headers: bearing('act') })).status, 401);
    },
    { operator: 'act' },
  ));
