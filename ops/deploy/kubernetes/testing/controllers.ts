import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deployment, ListOf, Pod, PodTemplate, ReplicaSet } from '../objects.js';
import type { Rest } from './rest.js';

interface Behavior {
  /** Whether hosts of an image become ready. */
  isReady: (image: string) => boolean;
  /** Pods that are stopped stay, as those do that drain. */
  holdStopping: boolean;
}

/** What Kubernetes does with a Deployment: a ReplicaSet for each template, pods, and a status. */
export class Controllers {
  readonly behavior: Behavior = { isReady: () => true, holdStopping: false };
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(
    private readonly rest: Rest,
    private readonly namespace: string,
  ) {
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const { items } = await this.rest<ListOf<Deployment>>('GET', this.#path('apps/v1', 'deployments'));
      // Another client may write at the same time; the next round sees what it wrote.
      for (const each of items) await this.#reconcile(each).catch(() => undefined);
      await delay(25);
    }
  }

  async #reconcile({ metadata, spec, status }: Deployment): Promise<void> {
    const { name, generation } = metadata;
    const hash = createHash('sha256').update(JSON.stringify(spec.template)).digest('hex').slice(0, 8);
    await this.#keepReplicaSet(name, hash, spec.template);
    const labels = { ...spec.selector.matchLabels, 'pod-template-hash': hash };
    const kept = await this.#keepPods(`${name}-${hash}`, labels, spec);
    const isReady = this.behavior.isReady(spec.template.spec.containers[0]?.image ?? '');
    const next = {
      observedGeneration: generation,
      replicas: kept,
      updatedReplicas: kept,
      readyReplicas: isReady ? kept : 0,
    };
    if (JSON.stringify(status) !== JSON.stringify(next))
      await this.rest('PATCH', `${this.#path('apps/v1', 'deployments')}/${name}/status`, { status: next });
  }

  async #keepReplicaSet(name: string, hash: string, template: PodTemplate): Promise<void> {
    const path = this.#path('apps/v1', 'replicasets');
    const { items } = await this.rest<ListOf<ReplicaSet>>('GET', path);
    if (items.some(({ metadata }) => metadata.name === `${name}-${hash}`)) return;
    const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid: name, controller: true };
    const labels = { ...template.metadata?.labels, 'pod-template-hash': hash };
    await this.rest('POST', path, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: `${name}-${hash}`, ownerReferences: [owner] },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    });
  }

  /** Returns how many pods of the current template there are that are not being stopped. */
  async #keepPods(prefix: string, labels: Readonly<Record<string, string>>, spec: Deployment['spec']) {
    const path = this.#path('v1', 'pods');
    const wanted = spec.replicas ?? 1;
    const { items } = await this.rest<ListOf<Pod>>('GET', path);
    const slot = prefix.replace(/-[0-9a-f]{8}$/, '-');
    const mine = items.filter(({ metadata }) => metadata.name.startsWith(slot));
    const current = mine.filter(({ metadata }) => metadata.name.startsWith(prefix));
    const surplus = [...current.slice(wanted), ...mine.filter((pod) => !current.includes(pod))];
    if (!this.behavior.holdStopping)
      for (const { metadata } of surplus) await this.rest('DELETE', `${path}/${metadata.name}`);
    for (let n = current.length; n < wanted; n++)
      await this.rest('POST', path, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `${prefix}-p${podNumber++}`, labels },
        spec: spec.template.spec,
      });
    return wanted;
  }

  #path(version: string, kind: string): string {
    return `/${version === 'v1' ? 'api' : 'apis'}/${version}/namespaces/${this.namespace}/${kind}`;
  }
}

let podNumber = 0;
