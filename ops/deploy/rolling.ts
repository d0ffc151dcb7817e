import { type DeploymentOptions, start, type Step, type Steps } from './steps.js';
import type { Side } from './target.js';

/** Replaces hosts in batches; the last old hosts stop when the checks have passed. */
export function* rolling(options: DeploymentOptions): Steps {
  yield { do: 'gate', gate: 'pre' };
  const { oldReplicas, replicas, stageMs } = options;
  for (const { grow, shrink, toNew, isLast } of batches(
    'new',
    { old: oldReplicas, new: 0 },
    replicas,
    options,
  )) {
    yield* grow;
    if (!isLast) yield* shrink;
    yield { do: 'reach', toNew };
    yield { do: 'watch', forMs: stageMs, holds: false };
    if (!isLast) continue;
    yield { do: 'gate', gate: 'post' };
    yield { do: 'await-serving', side: 'new' };
    yield* shrink;
  }
}

interface Batch {
  /** Starts hosts, and sends them their share. */
  readonly grow: readonly Step[];
  /** Stops hosts of the other side. */
  readonly shrink: readonly Step[];
  readonly toNew: number;
  readonly isLast: boolean;
}

type Limits = Pick<DeploymentOptions, 'maxSurge' | 'maxUnavailable'>;

/** Until one side has all hosts: there are never more than `wanted` + surge, and never fewer ready than − unavailable. */
export function* batches(
  side: Side,
  hosts: Readonly<Record<Side, number>>,
  wanted: number,
  limits: Limits,
): Generator<Batch, void, void> {
  // One host is ready at any time, and there is room to change one.
  const maxUnavailable = Math.min(limits.maxUnavailable, wanted - 1);
  const maxSurge = Math.max(limits.maxSurge, maxUnavailable === 0 ? 1 : 0);
  const other = side === 'new' ? 'old' : 'new';
  let [grown, left] = [hosts[side], hosts[other]];
  while (grown < wanted || left > 0) {
    const more = Math.min(wanted, Math.max(grown, wanted + maxSurge - left));
    grown = more;
    left = Math.min(left, Math.max(0, wanted - maxUnavailable - grown));
    const toNew = shareOf(side, grown, left);
    yield {
      // Hosts that were there before may not be ready; fewer hosts get fewer requests before they are stopped.
      grow: [...(grown > 0 ? start(side, grown) : []), { do: 'set-weights', toNew }],
      shrink: [...drained(other, left), { do: 'scale', side: other, replicas: left }],
      toNew,
      isLast: grown === wanted && left === 0,
    };
  }
}

const drained = (side: Side, left: number): readonly Step[] => (left === 0 ? [{ do: 'drain', side }] : []);

/** A side without hosts gets nothing, one with hosts at least 1 percent. */
function shareOf(side: Side, grown: number, left: number): number {
  const share = left === 0 ? 100 : Math.min(99, Math.round((100 * grown) / (grown + left)));
  return side === 'new' ? share : 100 - share;
}
