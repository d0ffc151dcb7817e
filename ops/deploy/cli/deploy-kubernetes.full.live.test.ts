import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { orderImage, requestsWithErrors, withKubernetes } from '../../testing/kubernetes-deployments.js';

const test = suite('every strategy of svc deploy on Kubernetes');

const quick = ['--replicas', '3', '--stage-time', '0s', '--min-sample', '1', '--hold', '20s'];

test('each strategy brings its revision into service, and rollback one of those before', () =>
  withKubernetes(async ({ svc, driver, readRoute, rest, paths, api }) => {
    const signal = AbortSignal.timeout(600_000);
    for (const [strategy, revision] of [
      ['canary', '1.1'],
      ['blue-green', '1.2'],
      ['rolling', '1.3'],
      ['recreate', '1.4'],
    ] as const) {
      api.metricsOf = requestsWithErrors(0);
      const { code, stderr } = await svc(strategy, orderImage(revision), ...quick);
      assert.equal([code, stderr], [0, ''], strategy);
      assert.is((await driver.revisions(signal)).current, revision);
    }
    const back = await svc('rollback', '--to', '1.2');
    assert.equal([back.code, back.stderr], [0, '']);
    assert.is((await driver.revisions(signal)).current, '1.2');
    const weights = (await readRoute()).spec.rules?.[0]?.backendRefs?.map(({ weight }) => weight);
    assert.ok(weights?.includes(0) && weights.includes(100));
    const pods = async (): Promise<readonly string[]> => {
      type Pods = {
        readonly items: readonly { readonly metadata: { readonly labels: Record<string, string> } }[];
      };
      const { items } = await rest<Pods>('GET', `${paths.core}/pods`);
      return items.map(({ metadata }) => metadata.labels['svc-runtime/slot'] ?? '').toSorted();
    };
    // As after blue-green: one host of the revision before is kept.
    await until(async () => (await pods()).join() === 'blue,green,green,green');
  }));

test('a revision that never becomes ready is reverted', () =>
  withKubernetes(async ({ svc, driver, controllers }) => {
    controllers.behavior.isReady = (name) => !name.endsWith(':1.2');
    const { code, stderr } = await svc('canary', orderImage('1.2'), ...quick, '--ready-timeout', '1s');
    assert.is(code, 1);
    assert.match(stderr, /The deployment of 1\.2 was reverted to 1\.0: .* 0 ready after 1 s/);
    assert.is((await driver.revisions(AbortSignal.timeout(60_000))).current, '1.0');
  }));
