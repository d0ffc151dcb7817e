import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { createOrder } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type SpawnedHost, svc, withOrders } from '../testing/spawned-host.js';
import { withSupervisor } from '../testing/spawned-supervisor.js';
import type { Host } from './host.js';

const test = suite('access to a host');

const probes = ['/health/live', '/health/ready'];
const reads = [
  ...['/orders', '/audit-log', '/metrics', '/health', '/machines'],
  ...['/openapi.json', '/docs', '/console', '/console/api/host', '/console/stream', '/inspect'],
];
const get = (url: string, path: string, headers: Record<string, string>) =>
  send(url, { method: 'GET', path, headers });
const release = '/console/api/perspectives/order-summary/release';
const act = (url: string, headers: Record<string, string> = {}) => post(url, {}, { path: release, headers });

/** Without any setting. */
const whileRunning = sharedIn<Host>(test, (body) => withStore((url) => withHost(url, body)));

/** The token in the link printed beside the log. */
const tokenIn = ({ output }: SpawnedHost): string =>
  /\/console#t=([\w-]+)\n/.exec(output.stderr.join(''))?.[1] ?? '';

const operatorToken = 'an-operator-of-the-orders-of-the-shop';

test('a foreign host name that resolves to this machine is refused, except for the status of probes', () =>
  whileRunning(async (host) => {
    const headers = { host: 'evil.test' };
    for (const path of reads)
      assert.is(refusalIn(await get(host.url, path, headers)), '421 misdirected', path);
    for (const path of probes)
      assert.not.match((await get(host.url, path, headers)).text, /svc_relational_db|cloud_servicebus/, path);
    for (const path of ['/orders', '/graphql'])
      assert.is(refusalIn(await post(host.url, {}, { path, headers })), '421 misdirected', path);
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    assert.is((await get(host.url, '/inspect', { ...headers, ...upgrade, ...key })).status, 421);
  }));

test('no answer is sniffed for another type, and no error is cached', () =>
  whileRunning(async (host) => {
    const sniffed = ({ headers }: Awaited<ReturnType<typeof send>>) => headers['x-content-type-options'];
    const header = async (path: string, name: string) => {
      const answer = await fetch(`${host.url}${path}`);
      await answer.body?.cancel();
      return answer.headers.get(name);
    };
    for (const path of [...probes, ...reads.filter((read) => read !== '/inspect'), '/nothing', '/orders?a=b'])
      assert.is(await header(path, 'x-content-type-options'), 'nosniff', path);
    for (const body of [{}, { query: '{ __typename }' }])
      for (const path of ['/orders', '/graphql'])
        assert.is(sniffed(await post(host.url, body, { path })), 'nosniff', path);
    const order = await createOrder(host.url);
    assert.equal([order.status, sniffed(order)], [200, 'nosniff']);
    assert.is(await header('/nothing', 'cache-control'), 'no-store');
  }));

test('in development the operator token is printed at the start, and not in the log', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url, NODE_ENV: 'development' }, async (host) => {
      assert.is(refusalIn(await act(host.url)), '401 unauthenticated');
      const token = tokenIn(host);
      assert.is((await act(host.url, { authorization: `Bearer ${token}` })).status, 200);
      assert.is((await get(host.url, '/console/api/host', {})).status, 200, 'reading is open here');
      assert.not.match(host.output.stdout.join(''), token);
    }),
  ));

test('in production operator actions are refused until an operator token is set', () =>
  withStore((url) =>
    withOrders({ DATABASE_URL: url, NODE_ENV: 'production', SVC_INSPECT: '1' }, async (host) => {
      const { detail } = JSON.parse((await act(host.url)).text) as { detail: string };
      assert.match(detail, 'SVC_OPERATOR_TOKEN');
      assert.is(tokenIn(host), '');
    }),
  ));

test('behind a proxy that controls access every host name is served, and operator actions still need the token', () =>
  withStore((url) =>
    withHost(
      url,
      async (host) => {
        const headers = { host: 'orders.example', 'x-forwarded-for': '10.0.0.7' };
        assert.is((await get(host.url, '/orders', headers)).status, 200);
        assert.is(refusalIn(await get(host.url, '/console/api/host', headers)), '401 unauthenticated');
        assert.is(refusalIn(await act(host.url, headers)), '401 unauthenticated');
        assert.is(
          (await act(host.url, { ...headers, authorization: `Bearer ${operatorToken}` })).status,
          200,
        );
      },
      { SVC_AUTH: 'none', SVC_OPERATOR_TOKEN: operatorToken },
    ),
  ));

test('all hosts of a supervisor accept the token printed at its start', () =>
  withStore((url) =>
    withSupervisor({ env: { DATABASE_URL: url, SVC_INSPECT: '1' } }, async (supervisor) => {
      await createOrder(supervisor.url);
      const headers = { authorization: `Bearer ${tokenIn(supervisor)}` };
      // Use a new connection each time, so that any host may get it.
      for (let n = 0; n < 8; n++) assert.is((await act(supervisor.url, headers)).status, 200);
      assert.is(refusalIn(await act(supervisor.url)), '401 unauthenticated');
    }),
  ));

test('an unsupported authentication method does not start an open host', async () => {
  for (const SVC_AUTH of ['jwt', 'nonsense']) {
    const { code, stderr } = await svc(['start', 'examples/orders'], { SVC_AUTH });
    assert.is(code, 1);
    assert.match(stderr, /^svc: SVC_AUTH.*\n$/);
  }
});
