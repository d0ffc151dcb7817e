import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post, refusalIn, type send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { createOrder } from '../testing/order-load.js';
import { withHost } from '../testing/probed-host.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { svc } from '../testing/spawned-host.js';
import type { Host } from './host.js';
import { act, get } from '../testing/operator-token.js';

const test = suite('access to a host');

const probes = ['/health/live', '/health/ready'];

const reads = [
  ...['/orders', '/audit-log', '/metrics', '/health', '/machines'],
  ...['/openapi.json', '/docs', '/console', '/console/api/host', '/console/stream', '/inspect'],
];

/** Without any setting. */
const whileRunning = sharedIn<Host>(test, (body) => withStore((url) => withHost(url, body)));

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

test('an unsupported authentication method does not start an open host', async () => {
  for (const SVC_AUTH of ['jwt', 'nonsense']) {
    const { code, stderr } = await svc(['start', 'examples/orders'], { SVC_AUTH });
    assert.is(code, 1);
    assert.match(stderr, /^svc: SVC_AUTH.*\n$/);
  }
});
