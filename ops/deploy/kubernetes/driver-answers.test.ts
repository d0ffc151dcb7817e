import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { thrownBy } from '../../../runtime/testing/thrown-by.js';
import { until } from '../../../runtime/kit/until.js';
import { kubernetesDriver } from './driver.js';
import { image, kubeconfigOf, settings, withStandIn } from './testing/orders-cluster.js';

const test = suite('answers that the kubernetes driver does not believe');

const signal = AbortSignal.timeout(600_000);

async function withServer(listener: RequestListener, body: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await body(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refusalOf = (listener: RequestListener): Promise<string> =>
  new Promise((resolve, reject) => {
    withServer(listener, (url) =>
      withFolder(async (folder) => {
        const KUBECONFIG = join(folder, 'config');
        await writeFile(KUBECONFIG, kubeconfigOf(url, { token: 'a' }));
        const driver = kubernetesDriver(settings, { KUBECONFIG });
        resolve((await thrownBy(() => driver.revisions(signal))).message);
      }),
    ).catch(reject);
  });

const sign = '{"error":"sign in"}';
for (const text of [
  'null',
  '[]',
  '1',
  '{}',
  sign,
  '{"kind":"Status","metadata":{}}',
  '{"kind":"List","items":[]}',
])
  test(`${text} is no object of Kubernetes`, async () => {
    assert.is(
      await refusalOf((_, response) => response.end(text)),
      'The answer to /apis/apps/v1/namespaces/shop/deployments/orders-blue is no object of Kubernetes; is this a Kubernetes API server?',
    );
  });

test('a page, a redirect and an answer without end are refused in one line', async () => {
  assert.match(await refusalOf((_, response) => response.end('<html>')), /^The answer to \S+ is not JSON; /);
  const redirect: RequestListener = (_, response) => response.writeHead(302, { location: '/login' }).end();
  assert.match(await refusalOf(redirect), /^The Kubernetes API answered 302 to GET [^\n]+$/);
  const endless: RequestListener = (_, response) => {
    const chunk = ' '.repeat(1 << 20);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  };
  assert.is(await refusalOf(endless), 'An answer was longer than 16777216 bytes.');
});

const counter = (status: number, value: string): string =>
  `http_server_request_duration_seconds_count{http_route="/orders",http_response_status_code="${status}"} ${value}\n`;

test('a counter that no host counts measures nothing, and adds nothing when it is right again', () =>
  withStandIn(async ({ api, driver }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await until(async () => (await target.observe(signal)).old.ready === 3);
    api.metricsOf = () => counter(200, '90') + counter(500, '10');
    const before = await target.observe(signal);
    assert.equal([before.old.requests, before.old.errors], [300, 30]);
    for (const forged of ['NaN', '-1', '+Inf', 'Infinity', '1e308', '1e400', 'ten', '', '0x']) {
      api.metricsOf = () => counter(200, '90') + counter(500, forged);
      const { old, unmeasured } = await target.observe(signal);
      assert.is(unmeasured, 'The metrics contain a number that no host can count.', forged);
      assert.equal([old.requests, old.errors], [300, 30], forged);
    }
    api.metricsOf = () => counter(200, '91') + counter(500, '10');
    const { old, unmeasured } = await target.observe(signal);
    assert.equal([old.requests, old.errors, unmeasured], [303, 30, undefined]);
  }));

test('a Prometheus that answers with something else, or with a number that no host counts, measures nothing', () =>
  withStandIn(async ({ driverWith }) => {
    let answer = '';
    await withServer(
      (_, response) => response.end(answer),
      async (url) => {
        const target = await driverWith({ prometheus: url }).prepare('1.1', image('1.1'), signal);
        const { host } = new URL(url);
        const result = (value: unknown): string => JSON.stringify({ data: { result: value } });
        for (const text of ['null', '[]', '{}', result({}), result('ab'), result([null]), result([{}])]) {
          answer = text;
          assert.is(
            (await target.observe(signal)).unmeasured,
            `Prometheus at ${host} refused the query.`,
            text,
          );
        }
        for (const value of ['NaN', '-1', '+Inf', 'Infinity', '1e400', null, {}]) {
          answer = result([{ metric: { pod: 'orders-x' }, value: [1, value] }]);
          const { unmeasured, new: next } = await target.observe(signal);
          assert.is(unmeasured, 'The metrics contain a number that no host can count.');
          assert.is(next.requests, 0);
        }
      },
    );
  }));
