import type { Container, Deployment, PodTemplate, ReplicaSet } from './objects.js';

/** Where the name of a revision is kept: on the pods, so that old ReplicaSets remember it. */
const annotation = 'svc-runtime/revision';

/** The name that a deployment gave the revision; of a template that none has written, the tag of its image. */
export function revisionOf(template: PodTemplate, container: string): string {
  const named = template.metadata?.annotations?.[annotation];
  if (named !== undefined) return named;
  const image = imageOf(template, container) ?? '';
  const [name = '', digest] = image.slice(image.lastIndexOf('/') + 1).split('@sha256:');
  return name.split(':')[1] ?? digest?.slice(0, 12) ?? 'latest';
}

export const imageOf = (template: PodTemplate, container: string): string | undefined =>
  hostIn(template, container)?.image;

export const hostIn = (template: PodTemplate, container: string): Container | undefined =>
  template.spec.containers.find(({ name }) => name === container);

/** A merge patch replaces a list as a whole: every container is in it. */
export const templatePatch = (
  template: PodTemplate,
  container: string,
  revision: string,
  image: string,
): object => ({
  metadata: { annotations: { [annotation]: revision } },
  spec: {
    containers: template.spec.containers.map((each) => (each.name === container ? { ...each, image } : each)),
  },
});

export interface KnownRevision {
  readonly revision: string;
  readonly image: string;
}

/** Every revision that the Deployments and their old ReplicaSets remember, newest first. */
export function knownRevisions(
  deployments: readonly Deployment[],
  replicaSets: readonly ReplicaSet[],
  container: string,
): readonly KnownRevision[] {
  const names = new Set(deployments.map(({ metadata }) => metadata.name));
  const owned = replicaSets.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ kind, name }) => kind === 'Deployment' && names.has(name)),
  );
  const newestFirst = owned.toSorted((a, b) => createdAt(b) - createdAt(a));
  const found = new Map<string, KnownRevision>();
  for (const { spec } of [...newestFirst, ...deployments]) {
    const revision = revisionOf(spec.template, container);
    const image = imageOf(spec.template, container);
    if (image !== undefined && !found.has(revision)) found.set(revision, { revision, image });
  }
  return [...found.values()];
}

const createdAt = ({ metadata }: ReplicaSet): number => Date.parse(metadata.creationTimestamp ?? '') || 0;
