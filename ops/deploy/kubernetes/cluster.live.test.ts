import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { program } from '../../../runtime/testing/installed-program.js';
import { withFolder } from '../../../runtime/kit/temporary-folder.js';
import { apiClient } from './api-client.js';
import { findCluster } from './cluster.js';
import { kubeconfigOf } from './testing/orders-cluster.js';

const test = suite('access to a cluster');

const signal = AbortSignal.timeout(600_000);

/** An authority and what it signed. */
async function certificates(folder: string): Promise<Readonly<Record<'ca' | 'cert' | 'key', string>>> {
  const openssl = await program('openssl');
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  await promisify(execFile)(openssl, [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=deployer', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:kubernetes'],
    ...['-keyout', key, '-out', cert],
  ]);
  const text = await readFile(cert, 'utf8');
  return { ca: text, cert: text, key: await readFile(key, 'utf8') };
}

/** An API server with TLS that answers who asked. */
const withServer = (
  body: (server: string, folder: string, tls: Awaited<ReturnType<typeof certificates>>) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const tls = await certificates(folder);
    const server = createServer(
      { ...tls, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate() as {
          subject?: { CN?: string };
        };
        response.end(JSON.stringify({ by: subject?.CN, token: request.headers.authorization }));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await body(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, folder, tls);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

const asked = async (env: Readonly<Record<string, string>>, account?: string): Promise<unknown> =>
  apiClient(await findCluster(env, account)).get('/version', signal);

test('a client certificate and an authority of a kubeconfig are used, from data or from files', () =>
  withServer(async (server, folder, { ca, cert, key }) => {
    const KUBECONFIG = join(folder, 'config');
    const data = (text: string): string => Buffer.from(text).toString('base64');
    for (const [authority, user] of [
      [
        { 'certificate-authority-data': data(ca) },
        { 'client-certificate-data': data(cert), 'client-key-data': data(key) },
      ],
      [{ 'certificate-authority': 'tls.crt' }, { 'client-certificate': 'tls.crt', 'client-key': 'tls.key' }],
    ] as const) {
      const config = JSON.parse(kubeconfigOf(server, user)) as { clusters: { cluster: object }[] };
      for (const each of config.clusters) each.cluster = { ...each.cluster, ...authority };
      await writeFile(KUBECONFIG, JSON.stringify(config));
      assert.equal(await asked({ KUBECONFIG }), { by: 'deployer' });
    }
    await writeFile(KUBECONFIG, kubeconfigOf(server, { token: 'secret' }));
    const refused = await asked({ KUBECONFIG }).catch((error: unknown) => String(error));
    assert.match(String(refused), /cannot be reached: (?:DEPTH_ZERO_)?SELF_SIGNED_CERT/);
  }));

test('in a pod the token of its account is read for every request', () =>
  withServer(async (server, folder, { ca }) => {
    const { hostname, port } = new URL(server);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    await writeFile(join(folder, 'ca.crt'), ca);
    for (const token of ['first', 'second']) {
      await writeFile(join(folder, 'token'), `${token}\n`);
      assert.equal(await asked(env, folder), { token: `Bearer ${token}` });
    }
  }));

test('a plugin of a kubeconfig prints the token, once until it expires', () =>
  withServer(async (server, folder) => {
    const [KUBECONFIG, plugin, log] = [
      join(folder, 'config'),
      join(folder, 'plugin.sh'),
      join(folder, 'log'),
    ];
    const expiry = '2099-01-01T00:00:00Z';
    await writeFile(
      plugin,
      `#!/bin/sh\necho "$SHOP $KUBERNETES_EXEC_INFO" >> ${log}\necho '{"kind":"ExecCredential","status":{"token":"printed","expirationTimestamp":"${expiry}"}}'\n`,
    );
    await chmod(plugin, 0o755);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin.sh',
      env: [{ name: 'SHOP', value: 'open' }],
    };
    const config = JSON.parse(kubeconfigOf(server, { exec })) as { clusters: { cluster: object }[] };
    for (const each of config.clusters) each.cluster = { ...each.cluster, 'insecure-skip-tls-verify': true };
    await writeFile(KUBECONFIG, JSON.stringify(config));
    const client = apiClient(await findCluster({ KUBECONFIG, PATH: process.env['PATH'] }));
    for (let n = 0; n < 3; n++) assert.equal(await client.get('/', signal), { token: 'Bearer printed' });
    const ran = (await readFile(log, 'utf8')).trim().split('\n');
    assert.is(ran.length, 1);
    assert.match(ran[0] ?? '', /^open \{"apiVersion":"client\.authentication\.k8s\.io\/v1"/);
  }));

/** As cloud tools write it. */
const yamlOf = (server: string): string => `# made by a cloud tool
apiVersion: v1
kind: Config
preferences: {}
current-context: "shop"
contexts:
- context:
    cluster: arn:aws:eks:eu-west-1:123456789012:cluster/shop
    user: 'it''s me' # a person
  name: shop
clusters:
  - cluster:
      insecure-skip-tls-verify: true
      server: ${server}
    name: arn:aws:eks:eu-west-1:123456789012:cluster/shop
users:
- name: it's me
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: ./plugin.sh
      args:
      - get-token
      installHint: |
        Install the tool: see its page

        and log in
`;

test('a kubeconfig in YAML is read by kubectl', () =>
  withServer(async (server, folder) => {
    await program('kubectl', 'kubernetes-client');
    const [KUBECONFIG, plugin] = [join(folder, 'config'), join(folder, 'plugin.sh')];
    await writeFile(KUBECONFIG, yamlOf(server));
    await writeFile(plugin, `#!/bin/sh\necho '{"status":{"token":"'$1'"}}'\n`, { mode: 0o755 });
    const env = { KUBECONFIG, HOME: folder, PATH: process.env['PATH'] ?? '' };
    assert.equal(await asked(env), { token: 'Bearer get-token' });
    await writeFile(KUBECONFIG, 'users: [ secret');
    const line = String(await asked(env).catch((error: unknown) => error));
    assert.match(
      line,
      `kubectl cannot read the kubeconfig ${KUBECONFIG}; run kubectl config view to see why.`,
    );
    assert.not.match(line, 'secret');
  }));

test('without kubectl a kubeconfig in YAML is refused with one line', () =>
  withFolder(async (folder) => {
    const KUBECONFIG = join(folder, 'config');
    await writeFile(KUBECONFIG, yamlOf('https://127.0.0.1:1'));
    const line = String(await asked({ KUBECONFIG, PATH: folder }).catch((error: unknown) => error));
    assert.match(
      line,
      `The kubeconfig ${KUBECONFIG} is YAML, and kubectl, which reads it, is not in the PATH`,
    );
    assert.not.match(line, '\n');
  }));

test('a plugin that fails is named, and what it printed is not', () =>
  withFolder(async (folder) => {
    const KUBECONFIG = join(folder, 'config');
    const exec = { command: 'sh', args: ['-c', 'echo secret; echo secret >&2; exit 1'] };
    await writeFile(KUBECONFIG, kubeconfigOf('https://127.0.0.1:1', { exec }));
    const line = String(
      await asked({ KUBECONFIG, PATH: process.env['PATH'] ?? '' }).catch((error: unknown) => error),
    );
    assert.match(line, "The program 'sh' of the kubeconfig printed no credentials");
    assert.not.match(line, 'secret');
  }));

test('a server that is not this machine is not reached without TLS', () =>
  withFolder(async (folder) => {
    const KUBECONFIG = join(folder, 'config');
    await writeFile(KUBECONFIG, kubeconfigOf('http://10.0.0.1:8080', { token: 'secret' }));
    const line = String(await asked({ KUBECONFIG }).catch((error: unknown) => error));
    assert.match(line, 'only this machine may be reached without TLS');
  }));
