import { batches } from './rolling.js';
import { type DeploymentOptions, hostsAfter, start, type Step, type Steps, type Strategy } from './steps.js';
import type { Report, Side } from './target.js';

/**
 * Leads from any point of a deployment back to the old revision. `begun`: its steps up to the one in progress. `seen`:
 * what is true now, undefined if the front did not answer.
 */
export function* revert(
  strategy: Strategy,
  options: DeploymentOptions,
  begun: readonly Step[],
  seen: Report | undefined,
): Steps {
  if (changesNothing(begun)) return;
  const asked = hostsAfter(options, begun);
  if (options.oldReplicas === 0) yield { do: 'scale', side: 'new', replicas: 0 };
  else if (strategy === 'recreate') yield* recreateOld(options);
  else if (strategy === 'rolling') yield* rollBack(options, seen === undefined ? asked : hostsIn(seen));
  else yield* moveBack(strategy, options, seen?.old.ready === 0 ? 0 : asked.old);
}

export const changesNothing = (steps: readonly Step[]): boolean => steps.every((step) => step.do === 'gate');

const hostsIn = (seen: Report): Record<Side, number> => ({
  old: seen.old.replicas,
  new: seen.new.replicas,
});

function* recreateOld({ oldReplicas }: DeploymentOptions): Steps {
  yield { do: 'scale', side: 'new', replicas: 0 };
  yield { do: 'await-stopped', side: 'new' };
  yield* start('old', oldReplicas);
  yield { do: 'switch', to: 'old' };
}

function* rollBack(options: DeploymentOptions, hosts: Readonly<Record<Side, number>>): Steps {
  if (hosts.new === 0) {
    yield* start('old', options.oldReplicas);
    yield { do: 'set-weights', toNew: 0 };
    return;
  }
  for (const { grow, shrink } of batches('old', hosts, options.oldReplicas, options)) {
    yield* grow;
    yield* shrink;
  }
}

/** While the old revision has all its hosts and one is ready, its requests come back first. */
function* moveBack(strategy: Strategy, { oldReplicas }: DeploymentOptions, left: number): Steps {
  if (left < oldReplicas) yield* start('old', oldReplicas);
  yield strategy === 'canary' ? { do: 'set-weights', toNew: 0 } : { do: 'switch', to: 'old' };
  yield { do: 'force', enabled: false };
  yield { do: 'drain', side: 'new' };
  yield { do: 'scale', side: 'new', replicas: 0 };
}
