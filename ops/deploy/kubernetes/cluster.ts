import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import { type ExecCredential, runExecPlugin } from './exec-credential.js';
import {
  type ExecPlugin,
  type Kubeconfig,
  longestKubeconfig,
  type Material,
  parseKubeconfig,
} from './kubeconfig.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the API server is, and how this program proves to it who it is. */
export interface Cluster {
  readonly server: URL;
  /** Asked for every request: tokens in files are replaced about every hour. */
  credentials(signal: AbortSignal): Promise<Credentials>;
}

export interface Credentials {
  readonly token?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean;
}

/** Where Kubernetes puts the token of a pod. */
const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** KUBECONFIG, then the service account of the pod that this runs in, then ~/.kube/config. */
export async function findCluster(env: Environment, account = accountFolder): Promise<Cluster> {
  const named = env['KUBECONFIG'] || undefined;
  if (named === undefined && env['KUBERNETES_SERVICE_HOST'])
    return checked(
      inCluster(env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT'] || '443', account),
    );
  const path = named ?? join(env['HOME'] || homedir(), '.kube', 'config');
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Problem('invalid-setup', {
      detail: `The kubeconfig ${path} cannot be read; set KUBECONFIG to one file.`,
      cause,
    });
  });
  const json = text.trimStart().startsWith('{') ? text : await writtenAsJson(path, env);
  return checked(byKubeconfig(parseKubeconfig(json), dirname(resolve(path)), env));
}

/** YAML is the format of kubectl, which comes with such a file. Its output is secret and never repeated. */
async function writtenAsJson(path: string, env: Environment): Promise<string> {
  const args = ['config', 'view', '--raw', '--output=json', `--kubeconfig=${path}`];
  try {
    const { stdout } = await promisify(execFile)('kubectl', args, {
      env,
      timeout: 30_000,
      killSignal: 'SIGKILL',
      maxBuffer: longestKubeconfig,
    });
    return stdout;
  } catch (error) {
    const isMissing = (error as { readonly code?: unknown }).code === 'ENOENT';
    throw new Problem('invalid-setup', {
      detail: isMissing
        ? `The kubeconfig ${path} is YAML, and kubectl, which reads it, is not in the PATH; install it, or convert the file elsewhere: kubectl config view --raw -o json.`
        : `kubectl cannot read the kubeconfig ${path}; run kubectl config view to see why.`,
    });
  }
}

function inCluster(host: string, port: string, account: string): Cluster {
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    server: new URL(`https://${authority}:${port}`),
    credentials: async () => ({
      token: (await secretFile(join(account, 'token'))).trim(),
      ca: await secretFile(join(account, 'ca.crt')),
    }),
  };
}

function byKubeconfig(kubeconfig: Kubeconfig, folder: string, env: Environment): Cluster {
  const { exec, tlsServerName, insecure } = kubeconfig;
  const read = async (material: Material | undefined): Promise<string | undefined> =>
    material === undefined || 'text' in material
      ? material?.text
      : secretFile(resolve(folder, material.file));
  const plugin = exec === undefined ? undefined : cachedPlugin(inFolder(exec, folder), env);
  return {
    server: new URL(kubeconfig.server),
    credentials: async (signal) => {
      const printed = await plugin?.(signal);
      return {
        token: printed?.token ?? (await read(kubeconfig.token))?.trim(),
        ca: await read(kubeconfig.ca),
        cert: printed?.certificate ?? (await read(kubeconfig.certificate)),
        key: printed?.key ?? (await read(kubeconfig.key)),
        servername: tlsServerName,
        rejectUnauthorized: !insecure,
      };
    },
  };
}

/** A command with a slash is meant from the folder of the kubeconfig; others are in the PATH. */
const inFolder = (plugin: ExecPlugin, folder: string): ExecPlugin =>
  plugin.command.includes('/') ? { ...plugin, command: resolve(folder, plugin.command) } : plugin;

const renewBeforeMs = 60_000;

function cachedPlugin(
  plugin: ExecPlugin,
  env: Environment,
): (signal: AbortSignal) => Promise<ExecCredential> {
  let last: ExecCredential | undefined;
  return async (signal) => {
    if (last === undefined || last.expiresAt - renewBeforeMs < Date.now())
      last = await runExecPlugin(plugin, env, Date.now(), signal);
    return last;
  };
}

function secretFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Problem('invalid-setup', {
      detail: `The file ${path}, which access to Kubernetes needs, cannot be read.`,
      cause,
    });
  });
}

/** Credentials must not cross a network in the clear. */
function checked(cluster: Cluster): Cluster {
  const { protocol, hostname } = cluster.server;
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return cluster;
  throw new Problem('invalid-setup', {
    detail: 'The server in the kubeconfig uses http; only this machine may be reached without TLS.',
  });
}
