import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { createMetrics } from '../../runtime/metrics/metrics.js';
import { Inspection } from '../../endpoints/inspection/inspection.js';
import { lifecycleMachine } from '../../endpoints/lifecycle/lifecycle-machine.js';
import { consoleRoutes } from '../console/server/routes.js';
import { healthRoutes } from '../../endpoints/routes/health.js';
import { Inspector } from '../../endpoints/routes/inspector.js';
import { machineRoutes } from '../../endpoints/routes/machines.js';
import { metricsRoute } from '../../endpoints/routes/metrics.js';
import { type Bakery, withBakery } from '../../endpoints/testing/bakery.js';
import { refusalIn, send } from '../../endpoints/testing/http-client.js';
import { consoleOf, scriptedHost } from '../testing/scripted-host.js';

const test = suite('methods');

/** A bakery with everything a host has beside its commands. */
async function withAll(body: (bakery: Bakery) => Promise<void>): Promise<void> {
  const inspector = new Inspector(new Inspection({ host: 'oven-1' }).feed);
  const paths = { live: '/health/live', ready: '/health/ready', details: '/health' };
  const routes = [
    healthRoutes('north', { state: 'watching', results: [] }, paths),
    metricsRoute(createMetrics()),
    machineRoutes([{ name: 'lifecycle', machine: lifecycleMachine }]),
    consoleRoutes(consoleOf(scriptedHost()), [
      { path: '/console', type: 'text/html', content: Buffer.from('page') },
    ]).add,
    inspector.route,
  ];
  try {
    await withBakery({ http: { openApi: '{}', routes } }, body);
  } finally {
    inspector.stop();
  }
}

for (const [path, allow] of [
  ['/health', 'GET, HEAD'],
  ['/health/live', 'GET, HEAD'],
  ['/health/ready', 'GET, HEAD'],
  ['/metrics', 'GET, HEAD'],
  ['/metrics?host=north', 'GET, HEAD'],
  ['/openapi.json', 'GET, HEAD'],
  ['/docs', 'GET, HEAD'],
  ['/machines', 'GET, HEAD'],
  ['/machines/lifecycle', 'GET, HEAD'],
  ['/console', 'GET, HEAD'],
  ['/console/api/hosts', 'GET'],
  ['/inspect', 'GET'],
] as const)
  test(`another method at ${path} is answered 405 with Allow: ${allow}`, () =>
    withAll(async ({ url }) => {
      for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await send(url, { method, path });
        assert.is(refusalIn(answer), '405 method-not-allowed', method);
        assert.is(answer.headers.allow, allow, method);
      }
    }));

for (const path of ['/health', '/metrics', '/openapi.json', '/docs', '/machines/lifecycle', '/console'])
  test(`${path} supports HEAD`, () =>
    withAll(async ({ url }) => {
      const { status, text } = await send(url, { method: 'HEAD', path });
      assert.equal([status, text], [200, '']);
    }));

test('another method on a console action is answered 405 with Allow: POST', () =>
  withAll(async ({ url }) => {
    const answer = await send(url, { method: 'GET', path: '/console/api/dead-letters/7/replay' });
    assert.is(refusalIn(answer), '405 method-not-allowed');
    assert.is(answer.headers.allow, 'POST');
  }));

test('a WebSocket endpoint answers plain requests with 426', () =>
  withAll(async ({ url }) => {
    const answer = await send(url, { method: 'GET', path: '/inspect' });
    assert.is(refusalIn(answer), '426 upgrade-required');
    assert.is(answer.headers.upgrade, 'websocket');
  }));

test('an unknown path is 404', () =>
  withAll(async ({ url }) => {
    for (const path of ['/machines/a/b', '/healthy', '/inspect/1', '/machines/'])
      assert.is(refusalIn(await send(url, { method: 'POST', path })), '404 not-found', path);
  }));
