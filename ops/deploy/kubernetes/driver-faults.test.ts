import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { thrownBy } from '../../../runtime/testing/thrown-by.js';
import { until } from '../../../runtime/kit/until.js';
import { kubernetesDriver } from './driver.js';
import { image, settings, withStandIn } from './testing/orders-cluster.js';

const test = suite('what the kubernetes driver survives');

const signal = AbortSignal.timeout(600_000);

const failureOf = async (made: Promise<unknown>): Promise<string> => (await thrownBy(() => made)).message;

test('conflicts, an overloaded server and lost connections are tried again', () =>
  withStandIn(async ({ api, driver, readRoute }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    const statuses = [409, 503, 409, 429, 500];
    api.intercept = ({ method, path }) =>
      method === 'PATCH' && path.endsWith('/httproutes/orders') ? statuses.shift() : undefined;
    await target.setWeights(10, signal);
    assert.is((await readRoute()).spec.rules?.[0]?.backendRefs?.[1]?.weight, 10);
    assert.equal(statuses, []);
  }));

test('a conflict that never ends is given up with one line', () =>
  withStandIn(async ({ api, driver }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    let patches = 0;
    api.intercept = ({ method }) => (method === 'PATCH' && ++patches > 0 ? 409 : undefined);
    const line = await failureOf(target.scale('new', 1, signal));
    assert.match(line, /^The Kubernetes API answered 409 to PATCH shop\/deployments\/orders-green\/scale: /);
    assert.ok(patches >= 8);
  }));

test('a token in a file is read again when it was replaced', () =>
  withStandIn(async ({ api, driver, env, controllers }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await controllers.stop();
    api.token = 'the-next-token';
    assert.match(await failureOf(target.observe(signal)), 'answered 401');
    await writeFile(join(dirname(env['KUBECONFIG'] ?? ''), 'token'), `${api.token}\n`);
    assert.is((await target.observe(signal)).old.revision, '1.0');
  }));

test('a call ends when its signal aborts, even while the server is silent', () =>
  withStandIn(async ({ api, driver, controllers }) => {
    const target = await driver.prepare('1.1', image('1.1'), signal);
    await controllers.stop();
    const silence = new AbortController();
    api.intercept = () =>
      new Promise((resolve) => silence.signal.addEventListener('abort', () => resolve(503)));
    const abort = new AbortController();
    const call = target.setWeights(50, abort.signal).then(
      () => 'done',
      (error: unknown) => error,
    );
    await until(() => api.received.some(({ path }) => path.endsWith('/orders-green')));
    abort.abort();
    assert.is(await call, abort.signal.reason);
    silence.abort();
  }));

test('bad input is answered with one line each, which holds no secret', () =>
  withStandIn(async ({ api, driver, driverWith, env }) => {
    const lines = [
      await failureOf(driver.prepare('9.9', undefined, signal)),
      await failureOf(driver.prepare('1.0', image('other'), signal)),
      await failureOf(driver.prepare('not a name', undefined, signal)),
      await failureOf(driver.prepare('1.1', 'not an image', signal)),
      await failureOf(driverWith({ namespace: 'nowhere' }).revisions(signal)),
      await failureOf(driverWith({ container: 'web' }).revisions(signal)),
      await failureOf(driverWith({ route: 'other' }).revisions(signal)),
      await failureOf(kubernetesDriver(settings, { KUBECONFIG: '/nowhere/config' }).revisions(signal)),
    ];
    await (await driver.prepare('1.1', image('1.1'), signal)).setWeights(30, signal);
    lines.push(await failureOf(driver.prepare('1.2', image('1.2'), signal)));
    for (const line of lines) assert.not.match(line, new RegExp(`\n|${api.token}|succeeded`), line);
    assert.equal(
      lines.map((line) => line.slice(0, 48)),
      [
        'The cluster knows no revision 9.9, only 1.0, 0.9',
        'The revision 1.0 serves with another image; give',
        'A revision must be a name such as 1.4.0 or main-',
        'The source of a revision must be an image such a',
        'The Kubernetes API answered 404 to GET nowhere/d',
        'The Deployment orders-blue has no container web.',
        'The Kubernetes API answered 404 to GET shop/http',
        'The kubeconfig /nowhere/config cannot be read; s',
        'orders-blue and orders-green share the requests;',
      ],
    );
    assert.ok(env['KUBECONFIG']);
  }));

test('a server that cannot be reached is named in one line', async () => {
  await withStandIn(async ({ api, driver, controllers }) => {
    await controllers.stop();
    await api.close();
    assert.match(
      await failureOf(driver.revisions(signal)),
      /^The Kubernetes API at 127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED\.$/,
    );
  });
});
