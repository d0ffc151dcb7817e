import { Problem } from '../../../contracts/problems.js';
import type { DeploymentDriver, DeploymentTarget, Side } from '../target.js';
import { apiClient } from './api-client.js';
import { type Environment, findCluster } from './cluster.js';
import { kubernetesConfigIn, type Slot } from './config.js';
import { awaitQuiet } from './drain.js';
import { routeFront, serviceFront, type Sides } from './front.js';
import type { Deployment, Scale } from './objects.js';
import { observer } from './observe.js';
import { pathsOf } from './paths.js';
import { figuresOfPods } from './request-figures.js';
import { revisionOf } from './revision.js';
import { otherSlot, placeRevision, readRevisions, readSlots, type Surroundings } from './slots.js';

/**
 * Deploys to Kubernetes: two Deployments take turns, a Service and an HTTPRoute carry the requests. `config`: the
 * settings in deploy.json; KUBECONFIG in `env`, or the account of the pod, gives access to the API server.
 */
export function kubernetesDriver(config: unknown, env: Environment, pollMs = 1_000): DeploymentDriver {
  const settings = kubernetesConfigIn(config);
  let found: Promise<Surroundings> | undefined;
  const connect = async (): Promise<Surroundings> => {
    const api = apiClient(await findCluster(env));
    const paths = pathsOf(settings);
    const front = (settings.route === undefined ? serviceFront : routeFront)(api, paths);
    return { api, paths, config: settings, front, pollMs };
  };
  const connected = (): Promise<Surroundings> =>
    (found ??= connect()).catch((error: unknown) => {
      found = undefined;
      throw error;
    });

  return {
    revisions: async (signal) => {
      const within = await connected();
      const slots = await readSlots(within, signal);
      const { spec } = slots.deployments[slots.serving];
      const known = await readRevisions(within, slots, signal);
      return {
        current: spec.replicas === 0 ? undefined : revisionOf(spec.template, settings.container),
        known: known.map(({ revision }) => revision),
      };
    },
    prepare: async (revision, source, signal) => {
      mustBeNames(revision, source);
      const within = await connected();
      const slot = await placeRevision(within, revision, source, signal);
      return targetOf(within, slot, env['SVC_INSPECT_TOKEN'] || undefined);
    },
  };
}

function targetOf(within: Surroundings, slot: Slot, token: string | undefined): DeploymentTarget {
  const { api, paths, config, front } = within;
  const names = { new: config.deployments[slot], old: config.deployments[otherSlot(slot)] };
  const read = (side: Side, signal: AbortSignal): Promise<Deployment> =>
    api.get<Deployment>(paths.deployment(names[side]), signal);
  const readSides = async (signal: AbortSignal): Promise<Sides> => ({
    old: await read('old', signal),
    new: await read('new', signal),
  });
  const readFigures = figuresOfPods(api, paths, config, token);
  const observe = observer(within, readFigures);
  const shareFor = async (toNew: number, signal: AbortSignal): Promise<void> =>
    front.setShare(await readSides(signal), toNew, signal);

  return {
    setWeights: shareFor,
    switch: (to, signal) => shareFor(to === 'new' ? 100 : 0, signal),
    force: async (enabled, signal) => front.force(await readSides(signal), enabled, signal),
    observe: async (signal) => observe(await readSides(signal), signal),
    scale: async (side, replicas, signal) => {
      const decide = ({ spec }: Scale) =>
        (spec.replicas ?? 0) === replicas ? undefined : { spec: { replicas } };
      await api.change<Scale>(paths.scale(names[side]), decide, signal);
    },
    drain: async (side, signal, withinMs) => {
      // Nothing new may reach the side.
      await shareFor(side === 'new' ? 0 : 100, signal);
      await awaitQuiet(within, readFigures, await read(side, signal), signal, withinMs);
    },
  };
}

/** Both become parts of an object that others read: annotations and an image. */
function mustBeNames(revision: string, source: string | undefined): void {
  if (!/^[A-Za-z0-9][\w.+-]{0,127}$/.test(revision))
    throw new Problem('invalid-setup', { detail: 'A revision must be a name such as 1.4.0 or main-4f2c.' });
  if (
    source !== undefined &&
    !/^[\w.-]+(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/.test(source)
  )
    throw new Problem('invalid-setup', {
      detail: 'The source of a revision must be an image such as registry.example.com/orders:1.4.0.',
    });
}
