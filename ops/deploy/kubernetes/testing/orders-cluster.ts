import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolder } from '../../../../runtime/kit/temporary-folder.js';
import type { DeploymentDriver } from '../../target.js';
import type { Environment } from '../cluster.js';
import { kubernetesDriver } from '../driver.js';
import type { HttpRoute } from '../objects.js';
import { StandInApiServer } from './api-server.js';
import { Controllers } from './controllers.js';
import { deployment, route, service, slotLabels } from './orders-objects.js';
import { type Rest, restOf } from './rest.js';

/** A namespace with two slots of a service, of which blue serves revision 1.0. */
export interface OrdersCluster {
  readonly namespace: string;
  readonly rest: Rest;
  readonly env: Environment;
  readonly driver: DeploymentDriver;
  readonly driverWith: (settings: object) => DeploymentDriver;
  readonly paths: { readonly apps: string; readonly core: string; readonly route: string };
  readonly readRoute: () => Promise<HttpRoute>;
}

export interface StandInCluster extends OrdersCluster {
  readonly api: StandInApiServer;
  readonly controllers: Controllers;
}

export const settings = {
  driver: 'kubernetes',
  namespace: 'shop',
  service: 'orders',
  deployments: { blue: 'orders-blue', green: 'orders-green' },
  route: 'orders',
  container: 'host',
  replicas: 3,
};

export const image = (revision: string): string => `registry.example.com/shop/orders:${revision}`;

export const kubeconfigOf = (server: string, user: object): string =>
  JSON.stringify({
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server } }],
    users: [{ name: 'test', user }],
  });

export const withStandIn = (body: (cluster: StandInCluster) => Promise<void>, replicas = 3): Promise<void> =>
  withFolder(async (folder) => {
    const api = await StandInApiServer.start();
    const KUBECONFIG = join(folder, 'config');
    await writeFile(join(folder, 'token'), api.token);
    await writeFile(KUBECONFIG, kubeconfigOf(api.url, { tokenFile: 'token' }));
    const cluster = await ordersIn({ KUBECONFIG }, 'shop', replicas);
    const controllers = new Controllers(cluster.rest, 'shop');
    try {
      await body({ ...cluster, api, controllers });
    } finally {
      await controllers.stop();
      await api.close();
    }
  });

/** Creates the objects in a namespace that exists. */
export async function ordersIn(
  env: Environment,
  namespace: string,
  replicas: number,
): Promise<OrdersCluster> {
  const rest = await restOf(env);
  const paths = {
    apps: `/apis/apps/v1/namespaces/${namespace}`,
    core: `/api/v1/namespaces/${namespace}`,
    route: `/apis/gateway.networking.k8s.io/v1/namespaces/${namespace}/httproutes`,
  };
  await rest('POST', `${paths.apps}/deployments`, deployment('blue', image('1.0'), replicas));
  await rest('POST', `${paths.apps}/deployments`, deployment('green', image('0.9'), 0));
  await rest('POST', `${paths.core}/services`, service('orders', slotLabels('blue')));
  for (const slot of ['blue', 'green'] as const)
    await rest('POST', `${paths.core}/services`, service(`orders-${slot}`, slotLabels(slot)));
  await rest('POST', paths.route, route());
  const driverWith = (more: object): DeploymentDriver =>
    kubernetesDriver({ ...settings, namespace, ...more }, env, 10);
  return {
    namespace,
    rest,
    env,
    paths,
    driver: driverWith({}),
    driverWith,
    readRoute: () => rest('GET', `${paths.route}/orders`),
  };
}
