import { randomBytes } from 'node:crypto';
import type { Environment } from '../cluster.js';
import { Controllers } from './controllers.js';
import { startApiServer } from './kubebuilder.js';
import { type OrdersCluster, ordersIn } from './orders-cluster.js';
import { type Rest, restOf } from './rest.js';

interface RealCluster {
  readonly run: (body: (cluster: OrdersCluster) => Promise<void>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * The cluster of a kubeconfig, or an API server started from the programs of kubebuilder, which has no controllers of
 * its own; undefined where neither is given.
 */
export async function realCluster(env: Environment): Promise<RealCluster | undefined> {
  const KUBECONFIG = env['SVC_TEST_KUBECONFIG'] || undefined;
  if (KUBECONFIG !== undefined) {
    const given = { ...env, KUBECONFIG };
    return { run: (body) => inNewNamespace(given, body), stop: () => Promise.resolve() };
  }
  const assets = env['KUBEBUILDER_ASSETS'] || undefined;
  if (assets === undefined) return undefined;
  const server = await startApiServer(assets);
  await installRoutes(await restOf(server.env));
  return {
    run: (body) =>
      inNewNamespace(server.env, async (cluster) => {
        const controllers = new Controllers(cluster.rest, cluster.namespace);
        try {
          await body(cluster);
        } finally {
          await controllers.stop();
        }
      }),
    stop: server.stop,
  };
}

async function inNewNamespace(
  env: Environment,
  body: (cluster: OrdersCluster) => Promise<void>,
): Promise<void> {
  const rest = await restOf(env);
  const name = `svc-test-${randomBytes(4).toString('hex')}`;
  await rest('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  try {
    // No hosts: their image exists nowhere.
    await body(await ordersIn(env, name, 0));
  } finally {
    await rest('DELETE', `/api/v1/namespaces/${name}`);
  }
}

/** The kind HTTPRoute, without the schema of the Gateway API: the stand-in checks that one. */
async function installRoutes(rest: Rest): Promise<void> {
  const group = 'gateway.networking.k8s.io';
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await rest('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `httproutes.${group}`,
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api' },
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'HTTPRoute', plural: 'httproutes', singular: 'httproute' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  for (let n = 0; ; n++) {
    const isServed = await rest('GET', `/apis/${group}/v1/namespaces/default/httproutes`).then(
      () => true,
      () => false,
    );
    if (isServed || n > 600) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
