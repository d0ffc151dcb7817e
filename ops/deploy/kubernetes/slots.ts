import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import type { ApiClient } from './api-client.js';
import type { KubernetesConfig, Slot } from './config.js';
import type { Front } from './front.js';
import type { Deployment, ListOf, ReplicaSet } from './objects.js';
import type { Paths } from './paths.js';
import {
  hostIn,
  imageOf,
  type KnownRevision,
  knownRevisions,
  revisionOf,
  templatePatch,
} from './revision.js';

/** What the two Deployments hold, and which of them serves. */
interface Slots {
  readonly deployments: Readonly<Record<Slot, Deployment>>;
  readonly serving: Slot;
  /** Percent of the requests that the other slot gets. */
  readonly shared: number;
}

export interface Surroundings {
  readonly api: ApiClient;
  readonly paths: Paths;
  readonly config: KubernetesConfig;
  readonly front: Front;
  readonly pollMs: number;
}

export const otherSlot = (slot: Slot): Slot => (slot === 'blue' ? 'green' : 'blue');

export async function readSlots(
  { api, paths, config, front }: Surroundings,
  signal: AbortSignal,
): Promise<Slots> {
  const blue = await api.get<Deployment>(paths.deployment(config.deployments.blue), signal);
  const green = await api.get<Deployment>(paths.deployment(config.deployments.green), signal);
  for (const { metadata, spec } of [blue, green])
    if (hostIn(spec.template, config.container) === undefined)
      throw new Problem('invalid-setup', {
        detail: `The Deployment ${metadata.name} has no container ${config.container}.`,
      });
  const toGreen = await front.share({ old: blue, new: green }, signal);
  return {
    deployments: { blue, green },
    serving: toGreen > 50 ? 'green' : 'blue',
    shared: Math.min(toGreen, 100 - toGreen),
  };
}

/** Revisions that the cluster remembers, newest first. */
export async function readRevisions(
  { api, paths, config }: Surroundings,
  { deployments: { blue, green } }: Slots,
  signal: AbortSignal,
): Promise<readonly KnownRevision[]> {
  const { items } = await api.get<ListOf<ReplicaSet>>(paths.replicaSets, signal);
  return knownRevisions([blue, green], items, config.container);
}

/** The slot that holds the revision afterwards; its hosts are not started. */
export async function placeRevision(
  within: Surroundings,
  revision: string,
  source: string | undefined,
  signal: AbortSignal,
): Promise<Slot> {
  const slots = await readSlots(within, signal);
  const { serving, shared, deployments } = slots;
  const free = otherSlot(serving);
  const templateIn = (slot: Slot) => deployments[slot].spec.template;
  const { container } = within.config;
  const holder = [free, serving].find((slot) => revisionOf(templateIn(slot), container) === revision);
  const isHeld =
    holder !== undefined && (source === undefined || source === imageOf(templateIn(holder), container));
  if (isHeld) return holder;
  if (holder === serving)
    throw invalid(`The revision ${revision} serves with another image; give the new image another name.`);
  if (shared > 0)
    throw invalid(
      `${within.config.deployments.blue} and ${within.config.deployments.green} share the requests; abort or finish that deployment first.`,
    );
  const image = source ?? (await imageOfRevision(within, slots, revision, signal));
  await place(within, deployments[free].metadata.name, { revision, image }, signal);
  return free;
}

async function imageOfRevision(
  within: Surroundings,
  slots: Slots,
  revision: string,
  signal: AbortSignal,
): Promise<string> {
  const known = await readRevisions(within, slots, signal);
  const found = known.find((each) => each.revision === revision);
  if (found !== undefined) return found.image;
  const names = known.slice(0, 10).map((each) => each.revision);
  throw invalid(`The cluster knows no revision ${revision}, only ${names.join(', ')}; give its image.`);
}

/** Hosts of what was there before are stopped: nothing of the new revision runs before it is scaled. */
async function place(
  { api, paths, config, pollMs }: Surroundings,
  name: string,
  { revision, image }: KnownRevision,
  signal: AbortSignal,
): Promise<void> {
  const path = paths.deployment(name);
  let placed = await api.change<Deployment>(
    path,
    ({ spec }) => ({
      spec: { replicas: 0, template: templatePatch(spec.template, config.container, revision, image) },
    }),
    signal,
  );
  // Until then the status counts hosts of the revision that was there before.
  while ((placed.status?.observedGeneration ?? 0) < (placed.metadata.generation ?? 0)) {
    await delay(pollMs, undefined, { signal });
    placed = await api.get<Deployment>(path, signal);
  }
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
