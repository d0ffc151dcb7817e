import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments, parse } from 'yaml';

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type Labels = Readonly<Record<string, string>>;
type Fields = Record<string, unknown>;

interface LabelRule {
  readonly pairs: Labels;
  readonly includeSelectors?: boolean;
}

interface Patch {
  readonly target: { readonly kind: string; readonly name?: string };
  /** A JSON patch, as text in YAML. */
  readonly patch: string;
}

interface Kustomization {
  readonly apiVersion: string;
  readonly kind: 'Kustomization' | 'Component';
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly nameSuffix?: string;
  readonly labels?: readonly LabelRule[];
  readonly replicas?: readonly { readonly name: string; readonly count: number }[];
  readonly patches?: readonly Patch[];
}

const fields = [
  'apiVersion',
  'kind',
  'resources',
  'components',
  'nameSuffix',
  'labels',
  'replicas',
  'patches',
];
const versions = {
  Kustomization: 'kustomize.config.k8s.io/v1beta1',
  Component: 'kustomize.config.k8s.io/v1alpha1',
} as const;

/** Resolves the part of kustomize that our overlays use, as kubectl kustomize does; refuses everything else. */
export function resolveKustomization(folder: string, before: readonly Manifest[] = []): readonly Manifest[] {
  const path = join(folder, 'kustomization.yaml');
  const given = parse(readFileSync(path, 'utf8')) as Kustomization;
  const unknown = Object.keys(given).filter((name) => !fields.includes(name));
  if (unknown.length > 0) throw new TypeError(`${path}: ${unknown.join()} is not supported`);
  if (given.apiVersion !== versions[given.kind])
    throw new TypeError(`${path}: ${given.kind} of a wrong version`);
  const own = (given.resources ?? []).flatMap((name) => resourcesAt(join(folder, name)));
  let manifests = [...before, ...own];
  for (const name of given.components ?? [])
    manifests = [...resolveKustomization(join(folder, name), manifests)];
  return manifests.map((manifest) => transformed(manifest, given));
}

function resourcesAt(path: string): readonly Manifest[] {
  if (statSync(path).isDirectory()) return resolveKustomization(path);
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new TypeError(`${path}: ${document.errors.join()}`);
    return document.toJS() as Manifest;
  });
}

function transformed(manifest: Manifest, given: Kustomization): Manifest {
  let made = structuredClone(manifest) as Manifest & Fields;
  for (const { target, patch } of given.patches ?? [])
    if (target.kind === made.kind && (target.name ?? made.metadata.name) === made.metadata.name)
      for (const operation of parse(patch) as readonly Operation[]) apply(made, operation);
  const scaled = given.replicas?.find(({ name }) => name === made.metadata.name);
  if (scaled !== undefined && made.kind === 'Deployment')
    made = { ...made, spec: { ...made.spec, replicas: scaled.count } };
  for (const rule of given.labels ?? []) addLabels(made, rule);
  return given.nameSuffix === undefined ? made : renamed(made, given.nameSuffix);
}

/** References to renamed objects would have to follow: we rename only what nothing refers to. */
function renamed(manifest: Manifest, suffix: string): Manifest {
  if (!['Deployment', 'Service'].includes(manifest.kind))
    throw new TypeError(`${manifest.kind} is not renamed`);
  return { ...manifest, metadata: { ...manifest.metadata, name: `${manifest.metadata.name}${suffix}` } };
}

interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

function apply(manifest: Fields, { op, path, value }: Operation): void {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce<unknown>((inner, key) => (inner as Fields)[key], manifest) as Fields;
  if (op !== 'add' && !(last in parent)) throw new TypeError(`${path} does not exist`);
  if (op === 'remove') delete parent[last];
  else parent[last] = value;
}

function addLabels(manifest: Manifest & Fields, { pairs, includeSelectors = false }: LabelRule): void {
  const add = (...path: readonly string[]): void => {
    let at: Fields = manifest;
    for (const key of path) at = (at[key] ??= {}) as Fields;
    Object.assign(at, pairs);
  };
  add('metadata', 'labels');
  if (!includeSelectors) return;
  if (manifest.kind === 'Service') add('spec', 'selector');
  if (manifest.kind !== 'Deployment') return;
  add('spec', 'selector', 'matchLabels');
  add('spec', 'template', 'metadata', 'labels');
  const { spec } = (manifest.spec as { template: { spec: Fields } }).template;
  for (const each of (spec['topologySpreadConstraints'] ?? []) as readonly Fields[])
    Object.assign((each['labelSelector'] as Fields)['matchLabels'] as Fields, pairs);
}

/** Every folder that a kustomization reaches, and files that it names. */
export const filesOf = (folder: string): readonly string[] => {
  const path = join(folder, 'kustomization.yaml');
  const { resources = [], components = [] } = parse(readFileSync(path, 'utf8')) as Kustomization;
  return [
    path,
    ...[...resources, ...components]
      .map((name) => join(dirname(path), name))
      .flatMap((each) => (statSync(each).isDirectory() ? filesOf(each) : [each])),
  ];
};
