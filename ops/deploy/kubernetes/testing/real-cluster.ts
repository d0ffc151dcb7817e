import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '../cluster.js';
import { Controllers } from './controllers.js';
import { type OrdersCluster, ordersIn } from './orders-cluster.js';
import { type Rest, restOf } from './rest.js';
import { temporaryFolder } from '../../../../runtime/kit/temporary-folder.js';
import { until } from '../../../../runtime/kit/until.js';

interface StartedApiServer {
  readonly env: Environment;
  readonly stop: () => Promise<void>;
}

const token = 'the-token-of-the-test';

/** Starts the etcd and the kube-apiserver of a folder of kubebuilder. */
async function startApiServer(assets: string): Promise<StartedApiServer> {
  const folder = await temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(at('account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(at('tokens'), `${token},tester,tester,"system:masters"\n`);
  await writeFile(at('config'), kubeconfig(port));
  const etcd = `http://127.0.0.1:${client}`;
  const started = [
    start(join(assets, 'etcd'), {
      'data-dir': at('etcd'),
      'listen-client-urls': etcd,
      'advertise-client-urls': etcd,
      'listen-peer-urls': `http://127.0.0.1:${peer}`,
    }),
    start(join(assets, 'kube-apiserver'), {
      'etcd-servers': etcd,
      'cert-dir': at('certificates'),
      'bind-address': '127.0.0.1',
      'secure-port': String(port),
      'service-account-issuer': 'https://127.0.0.1/',
      'service-account-key-file': at('account.key'),
      'service-account-signing-key-file': at('account.key'),
      'token-auth-file': at('tokens'),
      'authorization-mode': 'RBAC',
      'disable-admission-plugins': 'ServiceAccount',
      'service-cluster-ip-range': '10.0.0.0/24',
    }),
  ];
  const env = { KUBECONFIG: at('config') };
  const rest = await restOf(env);
  const stop = async (): Promise<void> => {
    for (const each of started.toReversed()) await ended(each);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const isReady = () =>
    rest('GET', '/api/v1/namespaces/default').then(
      () => true,
      () => false,
    );
  await until(isReady, 120_000).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { env, stop };
}

const start = (path: string, flags: Readonly<Record<string, string>>): ChildProcess =>
  spawn(
    path,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  );

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The server makes its own certificate. */
const kubeconfig = (port: number): string =>
  JSON.stringify({
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [
      {
        name: 'test',
        cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
      },
    ],
    users: [{ name: 'test', user: { token } }],
  });

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
