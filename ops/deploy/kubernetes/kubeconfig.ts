import { isObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';

/** How a kubeconfig says to reach a cluster; files are named, not read. */
export interface Kubeconfig {
  readonly server: string;
  readonly ca: Material | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecure: boolean;
  readonly token: Material | undefined;
  readonly certificate: Material | undefined;
  readonly key: Material | undefined;
  readonly exec: ExecPlugin | undefined;
}

/** Given in the kubeconfig, or in a file that it names. */
export type Material = { readonly text: string } | { readonly file: string };

/** A program that prints credentials. */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Far more than clusters and certificates of one person need. */
export const longestKubeconfig = 262_144;

/** Reads a kubeconfig in JSON; nothing of it is repeated in an error, because it holds secrets. */
export function parseKubeconfig(text: string): Kubeconfig {
  const root = fieldsIn(documentIn(text));
  const context = named(root, 'contexts', 'context', textIn(root, 'current-context'));
  const cluster = named(root, 'clusters', 'cluster', textIn(context, 'cluster'));
  const user = named(root, 'users', 'user', textIn(context, 'user'));
  const server = textIn(cluster, 'server');
  if (server === undefined || !/^https?:\/\//.test(server) || !URL.canParse(server))
    throw invalid('the server of the cluster must be a URL');
  if (user['auth-provider'] !== undefined)
    throw invalid('auth-provider is not supported; use exec, a token or a client certificate');
  return {
    server,
    ca: materialIn(cluster, 'certificate-authority'),
    tlsServerName: textIn(cluster, 'tls-server-name'),
    insecure: cluster['insecure-skip-tls-verify'] === true,
    token: tokenIn(user),
    certificate: materialIn(user, 'client-certificate'),
    key: materialIn(user, 'client-key'),
    exec: execIn(user['exec']),
  };
}

function documentIn(text: string): unknown {
  if (text.length > longestKubeconfig) throw invalid(`it is longer than ${longestKubeconfig} characters`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('it is neither YAML nor JSON');
  }
}

function named(root: Fields, list: string, kind: string, name: string | undefined): Fields {
  if (name === undefined) throw invalid(`no ${kind} is chosen; see kubectl config use-context`);
  const entries = root[list];
  const entry = (Array.isArray(entries) ? (entries as unknown[]) : [])
    .map(fieldsIn)
    .find((each) => each['name'] === name);
  if (entry === undefined) throw invalid(`the chosen ${kind} is not in ${list}`);
  return fieldsIn(entry[kind]);
}

function tokenIn(user: Fields): Material | undefined {
  const file = textIn(user, 'tokenFile');
  if (file !== undefined) return { file };
  const text = textIn(user, 'token');
  return text === undefined ? undefined : { text };
}

function materialIn(fields: Fields, name: string): Material | undefined {
  const data = textIn(fields, `${name}-data`);
  if (data !== undefined) return { text: Buffer.from(data, 'base64').toString('utf8') };
  const file = textIn(fields, name);
  return file === undefined ? undefined : { file };
}

function execIn(value: unknown): ExecPlugin | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = fieldsIn(value);
  const command = textIn(fields, 'command');
  if (command === undefined) throw invalid('exec has no command');
  const args: unknown[] = Array.isArray(fields['args']) ? fields['args'] : [];
  const env: unknown[] = Array.isArray(fields['env']) ? fields['env'] : [];
  return {
    command,
    args: args.map(String),
    env: Object.fromEntries(
      env.map(fieldsIn).map((each) => [textIn(each, 'name') ?? '', textIn(each, 'value') ?? '']),
    ),
    apiVersion: textIn(fields, 'apiVersion') ?? 'client.authentication.k8s.io/v1',
  };
}

const fieldsIn = (value: unknown): Fields => (isObject(value) ? value : {});

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

const invalid = (why: string): Problem =>
  new Problem('invalid-setup', { detail: `The kubeconfig cannot be used: ${why}.` });
