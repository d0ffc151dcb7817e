import * as assert from 'uvu/assert';
import { suite, type Test } from '../../../contracts/testing/suite.js';
import { type OrdersCluster, withStandIn } from './testing/orders-cluster.js';
import { realCluster } from './testing/real-cluster.js';
import { until } from '../../../runtime/kit/until.js';
import type { Deployment, HttpRoute, RouteRule, Service } from './objects.js';

type WithCluster = (body: (cluster: OrdersCluster) => Promise<void>) => Promise<void>;

const signal = AbortSignal.timeout(600_000);
const newImage = 'registry.example.com/shop/orders:1.1';
const weightsIn = ({ spec }: HttpRoute): readonly (number | undefined)[] =>
  (spec.rules ?? [])
    .find(({ backendRefs = [] }) => backendRefs.length === 2)
    ?.backendRefs?.map(({ weight }) => weight) ?? [];
const forcedIn = ({ spec }: HttpRoute): readonly RouteRule[] =>
  (spec.rules ?? []).filter(({ matches = [] }) => matches[0]?.headers !== undefined);

/** What the driver does with the objects of a cluster, on the stand-in and on a real API server. */
function clusterContract(test: Test, withCluster: WithCluster): void {
  test('a new revision is placed in the slot that does not serve, without starting it', () =>
    withCluster(async ({ driver, rest, paths }) => {
      await driver.prepare('1.1', newImage, signal);
      const green = await rest<Deployment>('GET', `${paths.apps}/deployments/orders-green`);
      assert.is(green.spec.replicas, 0);
      const { containers } = green.spec.template.spec;
      assert.equal(
        containers.map(({ name, image }) => [name, image]),
        [
          ['host', newImage],
          ['proxy', 'proxy:1'],
        ],
      );
      assert.is(green.spec.template.metadata?.annotations?.['svc-runtime/revision'], '1.1');
    }));

  test('the weights of a route follow every stage, and the Service follows at the end', () =>
    withCluster(async ({ driver, rest, paths, readRoute }) => {
      const target = await driver.prepare('1.1', newImage, signal);
      const selected = async (): Promise<string | undefined> =>
        (await rest<Service>('GET', `${paths.core}/services/orders`)).spec.selector?.['svc-runtime/slot'];
      for (const toNew of [10, 25, 50, 75, 75]) {
        await target.setWeights(toNew, signal);
        assert.equal(weightsIn(await readRoute()), [100 - toNew, toNew]);
        assert.is(await selected(), 'blue');
      }
      await target.setWeights(100, signal);
      assert.equal(weightsIn(await readRoute()), [0, 100]);
      assert.is(await selected(), 'green');
    }));

  test('rules that lead elsewhere, filters and timeouts of a route are kept', () =>
    withCluster(async ({ driver, readRoute }) => {
      const before = await readRoute();
      const target = await driver.prepare('1.1', newImage, signal);
      await target.setWeights(25, signal);
      await target.force(true, signal);
      await target.force(false, signal);
      await target.setWeights(0, signal);
      assert.equal((await readRoute()).spec, before.spec);
    }));

  test('x-canary always leads to the new revision and never to the old one, on every path of the split', () =>
    withCluster(async ({ driver, readRoute }) => {
      const target = await driver.prepare('1.1', newImage, signal);
      await target.force(true, signal);
      await target.force(true, signal);
      await target.setWeights(10, signal);
      const forced = forcedIn(await readRoute());
      assert.equal(
        forced.map(({ matches = [], backendRefs = [] }) => [
          matches.map(({ path, headers = [] }) => [path?.value, headers[0]?.value]),
          backendRefs.map(({ name, port, weight }) => [name, port, weight]),
        ]),
        [
          [
            [
              ['/orders', 'always'],
              ['/', 'always'],
            ],
            [['orders-green', 80, 1]],
          ],
          [
            [
              ['/orders', 'never'],
              ['/', 'never'],
            ],
            [['orders-blue', 80, 1]],
          ],
        ],
      );
      await target.force(false, signal);
      assert.equal(forcedIn(await readRoute()), []);
      assert.equal(weightsIn(await readRoute()), [90, 10]);
    }));

  test('a switch moves the route and the selector at once, and back', () =>
    withCluster(async ({ driver, rest, paths, readRoute }) => {
      const target = await driver.prepare('1.1', newImage, signal);
      for (const [to, weights, slot] of [
        ['new', [0, 100], 'green'],
        ['old', [100, 0], 'blue'],
      ] as const) {
        await target.switch(to, signal);
        assert.equal(weightsIn(await readRoute()), weights);
        const { spec } = await rest<Service>('GET', `${paths.core}/services/orders`);
        assert.equal(spec.selector, { 'app.kubernetes.io/name': 'orders', 'svc-runtime/slot': slot });
      }
    }));

  test('hosts are scaled, and zero keeps the template', () =>
    withCluster(async ({ driver, rest, paths }) => {
      const target = await driver.prepare('1.1', newImage, signal);
      const green = (): Promise<Deployment> => rest('GET', `${paths.apps}/deployments/orders-green`);
      for (const replicas of [2, 2, 0]) {
        await target.scale('new', replicas, signal);
        assert.is((await green()).spec.replicas, replicas);
      }
      assert.is((await green()).spec.template.spec.containers[0]?.image, newImage);
    }));

  test('a deployment that was interrupted finds its revision again, whatever its share is', () =>
    withCluster(async ({ driver, driverWith, readRoute }) => {
      await (await driver.prepare('1.1', newImage, signal)).setWeights(75, signal);
      const again = await driverWith({}).prepare('1.1', newImage, signal);
      const { old, new: next, toNew } = await again.observe(signal);
      assert.equal([old.revision, next.revision, toNew], ['1.0', '1.1', 75]);
      await again.setWeights(0, signal);
      assert.equal(weightsIn(await readRoute()), [100, 0]);
    }));

  test('two clients that change the same objects lose nothing', () =>
    withCluster(async ({ driver, rest, paths, readRoute }) => {
      const target = await driver.prepare('1.1', newImage, signal);
      const annotate = async (n: number): Promise<void> => {
        await rest('PATCH', `${paths.route}/orders`, {
          metadata: {
            resourceVersion: (await readRoute()).metadata.resourceVersion,
            annotations: { [`n${n}`]: 'x' },
          },
        });
      };
      let annotated = 0;
      await Promise.all([
        ...[10, 20, 30].map((toNew) => target.setWeights(toNew, signal)),
        ...[1, 2, 3].map((n) =>
          until(() =>
            annotate(n).then(
              () => ++annotated > 0,
              () => false,
            ),
          ),
        ),
      ]);
      const { metadata, spec } = await readRoute();
      assert.equal(Object.keys(metadata.annotations ?? {}).toSorted(), ['n1', 'n2', 'n3']);
      assert.is(
        weightsIn({ metadata, spec }).reduce<number>((sum, weight = 0) => sum + weight, 0),
        100,
      );
    }));
}

clusterContract(suite('the kubernetes driver'), withStandIn);

const real = suite('the kubernetes driver on a real API server');

const withReal = await realCluster(process.env);
if (withReal === undefined)
  real(
    'was not run: SVC_TEST_KUBECONFIG names no cluster, and KUBEBUILDER_ASSETS no programs',
    () => undefined,
  );
else {
  clusterContract(real, withReal.run);
  real.after(withReal.stop);
}
