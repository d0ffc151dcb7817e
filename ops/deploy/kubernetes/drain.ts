import { setTimeout as delay } from 'node:timers/promises';
import type { PodFigures } from './metrics-text.js';
import type { Deployment } from './objects.js';
import { type ReadFigures, runningPods } from './request-figures.js';
import type { Surroundings } from './slots.js';

/** Of kubernetes, for a pod that names none. */
const defaultGraceSeconds = 30;
const longestMs = 30_000;
/** A gateway takes a moment to follow its route. */
const quietPolls = 2;

/**
 * Waits until the pods are gone, or have answered everything and get nothing new. Clients that keep a connection to a
 * pod open may use it until the pod stops, which answers them first: so the wait ends with the grace period.
 */
export async function awaitQuiet(
  within: Surroundings,
  readFigures: ReadFigures,
  side: Deployment,
  signal: AbortSignal,
  withinMs = longestMs,
): Promise<void> {
  const grace = side.spec.template.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  const end = performance.now() + Math.min(grace * 1_000, longestMs, withinMs);
  let [quiet, last] = [0, -1];
  while (performance.now() < end) {
    if ((await runningPods(within.api, within.paths, side, signal)).length === 0) return;
    const figures = await readFigures(side, signal).catch(() => undefined);
    signal.throwIfAborted();
    const requests = figures === undefined ? -1 : sum(figures, (each) => each.requests);
    const isQuiet = figures !== undefined && requests === last && sum(figures, (each) => each.inFlight) === 0;
    quiet = isQuiet ? quiet + 1 : 0;
    if (quiet === quietPolls) return;
    last = requests;
    await delay(within.pollMs, undefined, { signal });
  }
}

const sum = (figures: ReadonlyMap<string, PodFigures>, of: (each: PodFigures) => number): number =>
  [...figures.values()].reduce((total, each) => total + of(each), 0);
