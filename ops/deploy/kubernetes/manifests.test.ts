import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { parse, parseAllDocuments } from 'yaml';
import { AuditTopic } from '../../../contracts/audit.js';
import { suite } from '../../../contracts/testing/suite.js';
import { messagesKeptMs } from '../../../runtime/transport/nats-streams.js';
import { variables } from '../../docs/environment-page.js';
import { kubernetesConfigIn } from './config.js';
import type { Container, Deployment, Labels, PodTemplate, Service } from './objects.js';
import { filesOf, type Manifest, resolveKustomization } from './testing/kustomize.js';
import { schemaFaults } from './testing/schemas.js';

const test = suite('the manifests for Kubernetes');

const root = fileURLToPath(new URL('../../../../ops/kubernetes/', import.meta.url));
const at = (folder: string): string => join(root, folder);
const overlays = ['recreate', 'rolling', 'blue-green', 'canary'].map((name) => `overlays/${name}`);
const resolved = new Map(
  [...overlays, 'migrate'].map((folder) => [folder, resolveKustomization(at(folder))] as const),
);
const every = [...resolved.values()].flat();

const named = (folder: string, kind: string, name: string): Manifest => {
  const found = resolved.get(folder)?.find((each) => each.kind === kind && each.metadata.name === name);
  assert.ok(found, `${folder}: ${kind} ${name}`);
  return found;
};
const deploymentIn = (folder: string, name: string): Deployment =>
  named(folder, 'Deployment', name) as unknown as Deployment;

interface HostSpec {
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly automountServiceAccountToken?: boolean;
  readonly containers: readonly (Container & {
    readonly args: readonly string[];
    readonly securityContext?: Readonly<Record<string, unknown>>;
    readonly env?: readonly { readonly name: string }[];
    readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  })[];
  readonly terminationGracePeriodSeconds?: number;
}

const podsIn = (manifests: readonly Manifest[]): readonly HostSpec[] =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((manifest) => templateOf(manifest).spec as unknown as HostSpec);

const templateOf = ({ spec }: Manifest): PodTemplate => (spec as { readonly template: PodTemplate }).template;

for (const [folder, manifests] of resolved) {
  test(`${folder} resolves to objects that fit the schemas, each once`, async () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal([...new Set(names)], names);
    for (const manifest of manifests)
      assert.equal(await schemaFaults(manifest), [], `${manifest.kind} ${manifest.metadata.name}`);
  });
}

test('kubectl resolves the overlays to the same objects, where it is installed', async () => {
  const kubectl = (folder: string) => promisify(execFile)('kubectl', ['kustomize', at(folder)]);
  const sorted = (manifests: readonly unknown[]) =>
    (manifests as readonly Manifest[]).toSorted((a, b) =>
      `${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1,
    );
  for (const [folder, manifests] of resolved) {
    const printed = await kubectl(folder).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code === 'ENOENT') return undefined;
      throw error;
    });
    if (printed === undefined) return;
    const theirs = parseAllDocuments(printed.stdout).map((document): unknown => document.toJS());
    assert.equal(sorted(theirs), sorted(manifests), folder);
  }
});

test('every file in the folder belongs to a kustomization, or is named by the documentation', () => {
  const used = [...overlays, 'migrate', 'postgres'].flatMap((folder) => filesOf(at(folder)));
  const guide = readFileSync(join(root, '../../docs/guides/deploy-kubernetes.md'), 'utf8');
  const unused = readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !used.includes(path) && !guide.includes(path.slice(root.length)))
    .filter((path) => !path.endsWith('/deploy.json'));
  assert.equal(unused, []);
});

test('every overlay has the settings for svc deploy, which name objects that it has', () => {
  for (const folder of overlays) {
    const text = readFileSync(join(at(folder), 'deploy.json'), 'utf8');
    const { service, deployments, route, container } = kubernetesConfigIn(JSON.parse(text));
    named(folder, 'Service', service);
    for (const name of Object.values(deployments)) {
      named(folder, 'Service', name);
      const { containers } = deploymentIn(folder, name).spec.template.spec;
      assert.ok(containers.some((each) => each.name === container));
    }
    assert.is(route !== undefined, folder.endsWith('canary'));
    if (route !== undefined) named(folder, 'HTTPRoute', route);
  }
});

test('each Service selects the pods of one slot, and blue serves first', () => {
  const selects = (selector: Labels, labels: Labels): boolean =>
    Object.entries(selector).every(([key, value]) => labels[key] === value);
  for (const folder of overlays) {
    const slots = ['orders-blue', 'orders-green'].map((name) => deploymentIn(folder, name));
    const chosen = (name: string): readonly string[] => {
      const { spec } = named(folder, 'Service', name) as unknown as Service;
      return slots
        .filter((slot) => selects(spec.selector ?? {}, slot.spec.template.metadata?.labels ?? {}))
        .map(({ metadata }) => metadata.name);
    };
    assert.equal(['orders', 'orders-blue', 'orders-green'].map(chosen), [
      ['orders-blue'],
      ['orders-blue'],
      ['orders-green'],
    ]);
    assert.is(slots[1]?.spec.replicas, 0);
  }
  const { metadata } = templateOf(named('migrate', 'Job', 'orders-migrate'));
  assert.is(metadata?.labels?.['app.kubernetes.io/name'], 'orders-migrate');
});

test('each overlay has the numbers of its strategy', () => {
  const strategyOf = (folder: string): unknown =>
    named(folder, 'Deployment', 'orders-blue').spec?.['strategy'];
  assert.equal(strategyOf('overlays/recreate'), { type: 'Recreate' });
  assert.equal(strategyOf('overlays/rolling'), {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 1, maxSurge: 2 },
  });
  assert.is(deploymentIn('overlays/rolling', 'orders-blue').spec.replicas, 10);
});

test('every container runs without root, without privileges and on a read-only file system', () => {
  const pods = podsIn(every);
  assert.ok(pods.length > 8);
  for (const { securityContext, automountServiceAccountToken, containers } of pods) {
    assert.is(securityContext?.['runAsNonRoot'], true);
    assert.equal(securityContext?.['seccompProfile'], { type: 'RuntimeDefault' });
    assert.is(automountServiceAccountToken, false);
    for (const { securityContext: own } of containers)
      assert.equal(own, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  }
});

test('probes ask the host, and it has time to drain', () => {
  for (const folder of overlays) {
    const { containers, terminationGracePeriodSeconds = 0 } = deploymentIn(folder, 'orders-green').spec
      .template.spec as unknown as HostSpec;
    const [host] = containers;
    assert.is(host?.livenessProbe?.httpGet?.path, '/health/live');
    assert.is(host?.readinessProbe?.httpGet?.path, '/health/ready');
    const sleep = host?.lifecycle?.preStop?.sleep?.seconds ?? 0;
    assert.ok(sleep >= 5);
    // A host exits within ten seconds after SIGTERM.
    assert.ok(terminationGracePeriodSeconds >= sleep + 10);
  }
});

test('every variable that is set is one that a host reads', () => {
  const set = [
    ...podsIn(every).flatMap(({ containers }) => containers.flatMap(({ env = [] }) => env)),
    ...every
      .filter(({ kind }) => kind === 'ConfigMap')
      .flatMap(({ data }) => Object.keys(data as object).map((name) => ({ name }))),
  ].map(({ name }) => name);
  assert.ok(set.includes('DATABASE_URL') && set.includes('SVC_BIND'));
  assert.equal(
    set.filter((name) => !(name in variables)),
    [],
  );
});

test('the autoscalers ask for in-flight commands, and the adapter knows how to count them', () => {
  const text = readFileSync(at('components/autoscaling/prometheus-adapter.yaml'), 'utf8');
  const { rules } = parse(text) as { rules: { custom: readonly { name: { as: string } }[] } };
  for (const slot of ['blue', 'green']) {
    const { spec } = named('overlays/canary', 'HorizontalPodAutoscaler', `orders-${slot}`);
    const { metrics, scaleTargetRef } = spec as {
      metrics: readonly { pods: { metric: { name: string } } }[];
      scaleTargetRef: { name: string };
    };
    assert.is(metrics[0]?.pods.metric.name, rules.custom[0]?.name.as);
    named('overlays/canary', 'Deployment', scaleTargetRef.name);
  }
});

test('PostgreSQL has three instances and waits for a standby; NATS has three servers and three copies', () => {
  const cluster = parse(readFileSync(at('postgres/cluster.yaml'), 'utf8')) as {
    spec: { instances: number; postgresql: { synchronous: object } };
  };
  assert.is(cluster.spec.instances, 3);
  assert.equal(cluster.spec.postgresql.synchronous, { method: 'any', number: 1, dataDurability: 'required' });
  const nats = parse(readFileSync(at('nats/values.yaml'), 'utf8')) as {
    config: { cluster: object; jetstream: { enabled: boolean } };
  };
  assert.equal(nats.config.cluster, { enabled: true, replicas: 3 });
  assert.is(nats.config.jetstream.enabled, true);
  for (const [name, subjects] of [
    ['SVC_EVENTS', ['svc.events.>']],
    ['SVC_SYSTEM', ['svc.system.>', AuditTopic]],
  ] as const) {
    assert.equal(JSON.parse(readFileSync(at(`nats/${name}.json`), 'utf8')), {
      name,
      subjects,
      storage: 'file',
      retention: 'limits',
      discard: 'old',
      max_age: messagesKeptMs * 1e6,
      duplicate_window: 120_000 * 1e6,
      num_replicas: 3,
    });
  }
});
