import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { kubernetesDriver } from './driver.js';
import { type Received, StandInApiServer } from './testing/api-server.js';
import { Controllers } from './testing/controllers.js';
import { type Manifest, resolveKustomization } from './testing/kustomize.js';
import { kubeconfigOf } from './testing/orders-cluster.js';
import { restOf } from './testing/rest.js';

const test = suite('svc deploy on the manifests for Kubernetes');

const overlay = fileURLToPath(new URL('../../../../ops/kubernetes/overlays/canary/', import.meta.url));
const signal = AbortSignal.timeout(600_000);

const collections: Readonly<Record<string, string>> = {
  Deployment: '/apis/apps/v1/namespaces/shop/deployments',
  Service: '/api/v1/namespaces/shop/services',
  HTTPRoute: '/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes',
};

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** As the RBAC of Kubernetes decides. */
const allowedBy =
  (rules: readonly Rule[]) =>
  ({ method, path }: Received): boolean => {
    const [, group = '', resource = '', name, part] =
      /^\/(?:api|apis\/([a-z0-9.]+))\/v1\/namespaces\/shop\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+).*)?)?$/.exec(
        path,
      ) ?? [];
    const verb = method === 'PATCH' ? 'patch' : name === undefined ? 'list' : 'get';
    return rules.some(
      ({ apiGroups, resources, resourceNames, verbs }) =>
        apiGroups.includes(group) &&
        resources.includes(part === undefined ? resource : `${resource}/${part}`) &&
        verbs.includes(verb) &&
        (resourceNames === undefined || (name !== undefined && resourceNames.includes(name))),
    );
  };

const withOverlay = (
  body: (env: { readonly KUBECONFIG: string }, manifests: readonly Manifest[]) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const api = await StandInApiServer.start();
    const manifests = resolveKustomization(overlay);
    const role = manifests.find(({ kind }) => kind === 'Role');
    api.accounts.set('token-of-the-deployer', allowedBy((role?.['rules'] ?? []) as readonly Rule[]));
    const [KUBECONFIG, all] = [join(folder, 'config'), join(folder, 'all')];
    await writeFile(KUBECONFIG, kubeconfigOf(api.url, { token: 'token-of-the-deployer' }));
    await writeFile(all, kubeconfigOf(api.url, { token: api.token }));
    const rest = await restOf({ KUBECONFIG: all });
    for (const manifest of manifests) {
      const collection = collections[manifest.kind];
      if (collection !== undefined) await rest('POST', collection, manifest);
    }
    const controllers = new Controllers(rest, 'shop');
    try {
      await body({ KUBECONFIG }, manifests);
    } finally {
      await controllers.stop();
      await api.close();
    }
  });

test('the role of the deployer is enough for a whole canary and for its way back', () =>
  withOverlay(async (env) => {
    const settings = JSON.parse(readFileSync(join(overlay, 'deploy.json'), 'utf8')) as object;
    const driver = kubernetesDriver({ ...settings, prometheus: undefined }, env, 10);
    assert.is((await driver.revisions(signal)).current, '1.0.0');
    const target = await driver.prepare('1.1.0', 'registry.example.com/orders:1.1.0', signal);
    await target.scale('new', 3, signal);
    await until(async () => (await target.observe(signal)).new.ready === 3);
    await target.force(true, signal);
    for (const toNew of [10, 25, 50, 75, 100]) {
      await target.setWeights(toNew, signal);
      const { toNew: seen, unmeasured } = await target.observe(signal);
      assert.equal([seen, unmeasured], [toNew, undefined]);
    }
    await target.force(false, signal);
    await target.drain('old', signal);
    await target.scale('old', 0, signal);
    await until(async () => (await target.observe(signal)).old.ready === 0);
    assert.is((await driver.revisions(signal)).current, '1.1.0');
    const back = await driver.prepare('1.0.0', undefined, signal);
    await back.scale('new', 3, signal);
    await until(async () => (await back.observe(signal)).new.ready === 3);
    await back.switch('new', signal);
    assert.is((await driver.revisions(signal)).current, '1.0.0');
  }));

test('the account of the deployer may change nothing else', () =>
  withOverlay(async (env, manifests) => {
    const mayDo = allowedBy(
      (manifests.find(({ kind }) => kind === 'Role')?.['rules'] ?? []) as readonly Rule[],
    );
    const core = '/api/v1/namespaces/shop';
    for (const [method, path] of [
      ['GET', `${core}/secrets/orders-db-app`],
      ['GET', `${core}/secrets`],
      ['PATCH', `${core}/services/other`],
      ['PATCH', `${core}/services/orders-blue`],
      ['PATCH', '/apis/apps/v1/namespaces/shop/deployments/other'],
      ['GET', `${core}/pods/orders-blue-1/exec`],
      ['GET', '/api/v1/namespaces/other/services/orders'],
    ] as const)
      assert.not(mayDo({ method, path, body: undefined }), `${method} ${path}`);
    assert.ok(env.KUBECONFIG);
  }));
