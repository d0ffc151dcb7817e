import { type DeploymentOptions, start, type Step, type Steps } from './steps.js';
import type { Side } from './target.js';

/** Replaces hosts in batches. */
export function* rolling(options: DeploymentOptions): Steps {
  yield { do: 'gate', gate: 'pre' };
  const { oldReplicas, replicas, stageMs } = options;
  for (const { steps, toNew } of batches('new', { old: oldReplicas, new: 0 }, replicas, options)) {
    yield* steps;
    yield { do: 'reach', toNew };
    yield { do: 'watch', forMs: stageMs, holds: false };
  }
  yield { do: 'gate', gate: 'post' };
}

interface Batch {
  readonly steps: readonly Step[];
  readonly toNew: number;
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
    const steps: Step[] = [];
    const more = Math.min(wanted, Math.max(grown, wanted + maxSurge - left));
    // Hosts that were there before may not be ready.
    if (more > 0) steps.push(...start(side, more));
    grown = more;
    left = Math.min(left, Math.max(0, wanted - maxUnavailable - grown));
    const toNew = shareOf(side, grown, left);
    // Fewer hosts get fewer requests before they are stopped.
    steps.push({ do: 'set-weights', toNew });
    if (left === 0) steps.push({ do: 'drain', side: other });
    steps.push({ do: 'scale', side: other, replicas: left });
    yield { steps, toNew };
  }
}

/** A side without hosts gets nothing, one with hosts at least 1 percent. */
function shareOf(side: Side, grown: number, left: number): number {
  const share = left === 0 ? 100 : Math.min(99, Math.round((100 * grown) / (grown + left)));
  return side === 'new' ? share : 100 - share;
}
