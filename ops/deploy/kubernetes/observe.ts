import type { Report, SideReport } from '../target.js';
import type { Sides } from './front.js';
import type { Deployment } from './objects.js';
import { countsInPrometheus } from './prometheus.js';
import { type CountsByPod, GrowingCounts, type RequestCounts } from './growing-counts.js';
import { ignoredRoutes, type ReadFigures, runningPods } from './request-figures.js';
import { hostIn, revisionOf } from './revision.js';
import type { Surroundings } from './slots.js';

type Observe = (sides: Sides, signal: AbortSignal) => Promise<Report>;

/** Keeps the counters of pods between two reports. */
export function observer(within: Surroundings, readFigures: ReadFigures): Observe {
  const counts = { old: new GrowingCounts(), new: new GrowingCounts() };
  const read = async (side: Deployment, signal: AbortSignal): Promise<CountsByPod> => {
    const { prometheus, namespace, container } = within.config;
    if (prometheus === undefined) return readFigures(side, signal);
    const ignored = ignoredRoutes(hostIn(side.spec.template, container));
    const names = { namespace, deployment: side.metadata.name };
    return countsInPrometheus(prometheus, names, ignored, signal);
  };
  return async (sides, signal) => {
    const { container } = within.config;
    const toNew = await within.front.share(sides, signal);
    const ready = {
      old: await readyHosts(within, sides.old, signal),
      new: await readyHosts(within, sides.new, signal),
    };
    const counted = await bothOf(read, sides, signal);
    const figures = missingSeries(within.config, sides.new, ready.new, counted) ?? counted;
    const [ofOld, ofNew] = typeof figures === 'string' ? [new Map(), new Map()] : figures;
    return {
      old: reportOf(sides.old, container, ready.old, counts.old.add(ofOld)),
      new: reportOf(sides.new, container, ready.new, counts.new.add(ofNew)),
      toNew,
      ...(typeof figures === 'string' ? { unmeasured: figures } : {}),
    };
  };
}

/** Every host answers probes: without any series it is not scraped, and its errors would stay unseen. */
const missingSeries = (
  { prometheus }: Surroundings['config'],
  { metadata }: Deployment,
  ready: number,
  counted: Counted,
): string | undefined =>
  prometheus === undefined || ready === 0 || typeof counted === 'string' || counted[1].size > 0
    ? undefined
    : `Prometheus at ${prometheus.host} has no series of the pods of ${metadata.name}; may it read /metrics?`;

type Counted = readonly [CountsByPod, CountsByPod] | string;

/** What both sides have counted, or why that is unknown. */
async function bothOf(
  read: (side: Deployment, signal: AbortSignal) => Promise<CountsByPod>,
  sides: Sides,
  signal: AbortSignal,
): Promise<Counted> {
  try {
    return [await read(sides.old, signal), await read(sides.new, signal)];
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof Error ? error.message : 'no metrics';
  }
}

const reportOf = (
  { spec }: Deployment,
  container: string,
  ready: number,
  { requests, errors }: RequestCounts,
): SideReport => ({
  revision: revisionOf(spec.template, container),
  replicas: spec.replicas ?? 1,
  ready,
  requests,
  errors,
});

/** A Deployment that is scaled to zero does not count the pods that are still stopping; they serve until they end. */
async function readyHosts(within: Surroundings, side: Deployment, signal: AbortSignal): Promise<number> {
  const { spec, status } = side;
  if (spec.replicas === 0) return (await runningPods(within.api, within.paths, side, signal)).length;
  return Math.min(status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0);
}
